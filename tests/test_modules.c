// SPDX-License-Identifier: GPL-3.0-or-later
/* nn.Module and nn's own modules: what is in them, how they print, what they compute, what goes wrong. */
#include <string.h>

#include "language.h"
#include "support.h"

Suite *modules_suite(void);

static language l;

static void setup(void)
{
    language_begin(&l);
}

static void teardown(void)
{
    language_end(&l);
}

/* Source, and what is shown for it, one run after another in one world. */
typedef struct line {
    const char *source, *shown;
} line;

static void check_lines(const line *of, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *shown = language_says(&l, of[i].source);
        demand(!strcmp(shown, of[i].shown), "%s\n  shows: %s\n  not:   %s", of[i].source, shown,
               of[i].shown);
    }
}

#define CHECK_LINES(...)                                                                           \
    do {                                                                                           \
        const line lines[] = {__VA_ARGS__};                                                        \
        check_lines(lines, sizeof lines / sizeof *lines);                                          \
    } while (0)

/* What goes wrong: the message, and PyTorch's or Python's words. */
typedef struct slip {
    const char *source, *says, *torch;
} slip;

static void check_slips(const slip *of, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *s = of[i].source, *shown = language_says(&l, s);
        const char *torch = l.err.torch ? l.err.torch : "";
        demand(!strcmp(shown, of[i].says), "%s\n  says: %s\n  not:  %s", s, shown, of[i].says);
        demand(!strcmp(torch, of[i].torch), "%s\n  PyTorch: %s\n  not:     %s", s, torch,
               of[i].torch);
    }
}

#define CHECK_SLIPS(...)                                                                           \
    do {                                                                                           \
        const slip slips[] = {__VA_ARGS__};                                                        \
        check_slips(slips, sizeof slips / sizeof *slips);                                          \
    } while (0)

static const char block[] = "class Block(nn.Module):\n"
                            "    def __init__(self, n):\n"
                            "        super().__init__()\n"
                            "        self.ln = nn.LayerNorm(n)\n"
                            "        self.fc = nn.Linear(n, n, bias=False)\n"
                            "        self.register_buffer('mask', torch.ones(2, 2))\n"
                            "        self.scale = 3\n"
                            "    def forward(self, x):\n"
                            "        return x + self.fc(self.ln(x))\n";

static const char net[] = "class Net(nn.Module):\n"
                          "    def __init__(self, V, n):\n"
                          "        super().__init__()\n"
                          "        self.emb = nn.Embedding(V, n, padding_idx=0)\n"
                          "        self.blocks = nn.ModuleList([Block(n) for i in range(3)])\n"
                          "        self.head = nn.Linear(n, V, bias=False)\n"
                          "        self.head.weight = self.emb.weight\n"
                          "    def forward(self, ids):\n"
                          "        x = self.emb(ids)\n"
                          "        for b in self.blocks:\n"
                          "            x = b(x)\n"
                          "        return self.head(x)\n"
                          "m = Net(10, 4)\n";

static void make_net(void)
{
    ck_assert_works(language_run(&l, block), l.err);
    ck_assert_works(language_run(&l, net), l.err);
}

/* ---- nn's own ---- */

START_TEST(modules_print_as_pytorch_prints_them)
{
    CHECK_LINES(
        {"wte", "Embedding(50, 8)"},
        {"nn.Embedding(5, 3, padding_idx=-1)", "Embedding(5, 3, padding_idx=4)"},
        {"nn.Linear(3, 5)", "Linear(in_features=3, out_features=5, bias=True)"},
        {"nn.Linear(3, 5, bias=False)", "Linear(in_features=3, out_features=5, bias=False)"},
        {"nn.LayerNorm(4)", "LayerNorm((4,), eps=1e-05, elementwise_affine=True)"},
        {"nn.LayerNorm([2, 4], 1e-6)", "LayerNorm((2, 4), eps=1e-06, elementwise_affine=True)"},
        {"nn.Dropout(0.1)", "Dropout(p=0.1, inplace=False)"}, {"nn.Sequential()", "Sequential()"},
        {"nn.Sequential(nn.Linear(1, 2), nn.Linear(1, 2))",
         "Sequential(\n"
         "  (0): Linear(in_features=1, out_features=2, bias=True)\n"
         "  (1): Linear(in_features=1, out_features=2, bias=True)\n"
         ")"},
        {"nn.ModuleList([nn.Linear(1, 2), nn.Linear(1, 2), nn.Dropout()])",
         "ModuleList(\n"
         "  (0-1): 2 x Linear(in_features=1, out_features=2, bias=True)\n"
         "  (2): Dropout(p=0.5, inplace=False)\n"
         ")"},
        {"nn.Linear, nn.Module", "(<class 'torch.nn.Linear'>, <class 'torch.nn.Module'>)"},
        {"nn.Module()", "Module()"});
}
END_TEST

START_TEST(a_readers_modules_print_what_is_in_them)
{
    make_net();
    CHECK_LINES({"m", "Net(\n"
                      "  (emb): Embedding(10, 4, padding_idx=0)\n"
                      "  (blocks): ModuleList(\n"
                      "    (0-2): 3 x Block(\n"
                      "      (ln): LayerNorm((4,), eps=1e-05, elementwise_affine=True)\n"
                      "      (fc): Linear(in_features=4, out_features=4, bias=False)\n"
                      "    )\n"
                      "  )\n"
                      "  (head): Linear(in_features=4, out_features=10, bias=False)\n"
                      ")"},
                {"class Two(nn.Module):\n"
                 "    def extra_repr(self):\n"
                 "        return 'a=1\\nb=2'\n"
                 "Two()",
                 "Two(\n  a=1\n  b=2\n)"},
                {"class One(Two):\n"
                 "    def extra_repr(self):\n"
                 "        return 'a=1'\n"
                 "One()",
                 "One(a=1)"},
                {"o = One()\no.f = nn.Dropout()\no",
                 "One(\n  a=1\n  (f): Dropout(p=0.5, inplace=False)\n)"});
}
END_TEST

START_TEST(layers_compute_what_the_functions_of_f_do)
{
    CHECK_LINES({"fc = nn.Linear(3, 2)\n"
                 "fc.weight.data = torch.arange(6.).view(2, 3)\n"
                 "fc.bias.data = torch.tensor([10., 20.])\n"
                 "fc(torch.tensor([[1., 1., 1.], [0., 0., 2.]]))",
                 "[2, 2] tensor([[13., 32.],\n        [14., 30.]])"},
                {"x = torch.arange(8.).view(2, 4)\nln = nn.LayerNorm(4)\n"
                 "torch.equal(ln(x), F.layer_norm(x, (4,)))",
                 "True"},
                {"torch.equal(nn.Sequential(fc, fc.__class__(2, 2, bias=False))(torch.ones(1, 3)), "
                 "torch.ones(1, 2))",
                 "False"},
                {"emb = nn.Embedding.from_pretrained(torch.eye(3))\nemb(torch.tensor([2, 0]))",
                 "[2, 3] tensor([[0., 0., 1.],\n        [1., 0., 0.]])"},
                {"emb.weight.requires_grad, wte.weight.requires_grad", "(False, True)"},
                {"wte(ids).shape", "torch.Size([2, 5, 8])"});
}
END_TEST

START_TEST(functions_are_layers)
{
    CHECK_LINES({"nn.GELU(), nn.GELU('tanh'), nn.ReLU(), nn.ReLU(inplace=True), nn.Softmax(dim=-1)",
                 "(GELU(approximate='none'), GELU(approximate='tanh'), ReLU(), "
                 "ReLU(inplace=True), Softmax(dim=-1))"},
                {"nn.Flatten(), nn.Identity(3, a=4), nn.SiLU(), nn.RMSNorm(4)",
                 "(Flatten(start_dim=1, end_dim=-1), Identity(), SiLU(), RMSNorm((4,), eps=None, "
                 "elementwise_affine=True))"},
                {"x = torch.arange(-2., 3.)\n"
                 "torch.equal(nn.GELU('tanh')(x), F.gelu(x, approximate='tanh')), "
                 "torch.equal(nn.SiLU()(x), F.silu(x)), torch.equal(nn.Softmax(0)(x), "
                 "x.softmax(0))",
                 "(True, True, True)"},
                {"nn.ReLU(inplace=True)(x) is x, x", "(True, tensor([0., 0., 0., 1., 2.]))"},
                {"nn.RMSNorm(2)(torch.tensor([[3., 4.], [0., 2.]]))",
                 "[2, 2] tensor([[0.8485, 1.1314],\n        [0.0000, 1.4142]])"},
                {"nn.Flatten()(torch.zeros(2, 3, 4)).shape, nn.Identity()(x) is x",
                 "(torch.Size([2, 12]), True)"});
    CHECK_SLIPS(
        {"nn.RMSNorm(4)(torch.zeros(2, 5))",
         "error[broadcast]: rms_norm over [4]: the last axes of [2, 5] are others",
         "Given normalized_shape=[4], expected input with shape [*, 4], but got input of "
         "size[2, 5]"},
        {"nn.Tanh(3)", "error[type]: Tanh.__init__() takes 1 positional argument but 2 were given",
         ""},
        {"nn.Conv1d(1, 2, 3)", "error[unsupported]: PyTorch has Conv1d, but it is not done here",
         ""},
        {"nn.Softplus()", "error[unsupported]: PyTorch has Softplus, but it is not done here", ""},
        {"nn.ReLU6()", "error[unsupported]: PyTorch has ReLU6, but it is not done here", ""});
}
END_TEST

START_TEST(modules_by_name_and_parameters_by_number)
{
    CHECK_LINES({"d = nn.ModuleDict({'fc': nn.Linear(2, 3), 'act': nn.ReLU()})\nd",
                 "ModuleDict(\n"
                 "  (fc): Linear(in_features=2, out_features=3, bias=True)\n"
                 "  (act): ReLU()\n"
                 ")"},
                {"[k for k in d], 'fc' in d, len(d), d['act'], [n for n, p in "
                 "d.named_parameters()]",
                 "(['fc', 'act'], True, 2, ReLU(), ['fc.weight', 'fc.bias'])"},
                {"d['out'] = nn.Identity()\ndel d['act']\nd.keys(), d.pop('fc').out_features, "
                 "len(d)",
                 "(['fc', 'out'], 3, 1)"},
                {"p = nn.ParameterList([torch.zeros(2, 3), torch.ones(3)])\np",
                 "ParameterList(\n"
                 "    (0): Parameter containing: [torch.float32 of size 2x3]\n"
                 "    (1): Parameter containing: [torch.float32 of size 3]\n"
                 ")"},
                {"len(p), p[-1].shape, [q.numel() for q in p], len(p.append(torch.zeros(1)))",
                 "(2, torch.Size([3]), [6, 3], 3)"});
    CHECK_SLIPS({"d['fc']", "error[name]: the ModuleDict has no key 'fc'", "KeyError: 'fc'"},
                {"d['x'] = 3", "error[type]: int is not a Module subclass",
                 "int is not a Module subclass"});
}
END_TEST

START_TEST(attention_of_several_heads_is_that_of_each)
{
    CHECK_LINES(
        {"m = nn.MultiheadAttention(8, 2, batch_first=True)\nm",
         "MultiheadAttention(\n"
         "  (out_proj): NonDynamicallyQuantizableLinear(in_features=8, out_features=8, bias=True)\n"
         ")"},
        {"y = torch.randn(2, 3, 8)\nout, w = m(y, y, y)\nout.shape, w.shape",
         "(torch.Size([2, 3, 8]), torch.Size([2, 3, 3]))"},
        {"q, k, v = F.linear(y, m.in_proj_weight, m.in_proj_bias).chunk(3, -1)\n"
         "h = lambda t: t.view(2, 3, 2, 4).transpose(1, 2)\n"
         "z = lambda **how: m.out_proj(F.scaled_dot_product_attention(h(q), h(k), h(v), "
         "**how).transpose(1, 2).reshape(2, 3, 8))\n"
         "torch.allclose(z(), out, atol=1e-6)",
         "True"},
        {"late = torch.ones(3, 3).triu(1).bool()\nout, w = m(y, y, y, attn_mask=late, "
         "average_attn_weights=False)\ntorch.allclose(z(is_causal=True), out, atol=1e-6), w.shape",
         "(True, torch.Size([2, 2, 3, 3]))"},
        {"w = m(y, y, y, key_padding_mask=torch.tensor([[False, False, True], [False, True, "
         "True]]))[1]\nw[:, :, 2].sum().item(), w[1, 0]",
         "(0.0, tensor([1., 0., 0.]))"},
        {"m(y[0], y[0], y[0], need_weights=False)[1]", ""},
        {"nn.MultiheadAttention(8, 2)(torch.zeros(5, 2, 8), torch.zeros(4, 2, 8), torch.zeros(4, "
         "2, "
         "8))[0].shape",
         "torch.Size([5, 2, 8])"},
        {"[n for n, p in m.named_parameters()]",
         "['in_proj_weight', 'in_proj_bias', 'out_proj.weight', 'out_proj.bias']"},
        {"isinstance(m.out_proj, nn.Linear)", "True"});
    CHECK_SLIPS({"m(y, y, y[:, :2])",
                 "error[value]: each key has a value, and these are [2, 3, 8] and [2, 2, 8]",
                 "key's sequence and batch dims [2, 3, 8] do not match value's [2, 2, 8]"},
                {"m(y, y, y, attn_mask=torch.zeros(2, 2))",
                 "error[value]: the mask is [2, 2], and is to be [3, 3]",
                 "The shape of the 2D attn_mask is torch.Size([2, 2]), but should be (3, 3)."},
                {"nn.MultiheadAttention(8, 3)",
                 "error[value]: 8 channels are not shared by 3 heads: 2 are left over",
                 "embed_dim must be divisible by num_heads"});
    es_interp_torch(l.in)->shapes_only = true;
    CHECK_LINES({"nn.MultiheadAttention(8, 2, batch_first=True)(y, y, y, attn_mask=late)[0].shape",
                 "torch.Size([2, 3, 8])"});
}
END_TEST

START_TEST(linear_begins_within_the_bounds_of_pytorch)
{
    CHECK_LINES({"torch.manual_seed(1)\nfc = nn.Linear(100, 50)\nw, b = fc.weight, fc.bias", ""},
                {"w.abs().max().item() <= 0.1, w.abs().max().item() > 0.099", "(True, True)"},
                {"b.abs().max().item() <= 0.1, b.abs().max().item() > 0.08", "(True, True)"},
                {"abs(w.mean().item()) < 0.003", "True"},
                {"nn.Embedding(4, 3, padding_idx=1).weight[1]", "[3] tensor([0., 0., 0.])"},
                {"fc.in_features, fc.weight.shape, fc.weight.is_leaf",
                 "(100, torch.Size([50, 100]), True)"});
}
END_TEST

START_TEST(dropout_drops_while_it_trains_only)
{
    CHECK_LINES({"torch.manual_seed(0)\nd = nn.Dropout(0.25)\ny = d(torch.ones(10000))", ""},
                {"y.unique().numel(), round(y.max().item(), 4)", "(2, 1.3333)"},
                {"0.23 < (y == 0).float().mean().item() < 0.27", "True"},
                {"d = d.eval()\nd.training, torch.equal(d(y), y)", "(False, True)"},
                {"nn.Dropout(1.)(torch.ones(3))", "[3] tensor([0., 0., 0.])"},
                {"F.dropout(torch.ones(3), 0.9, training=False)", "[3] tensor([1., 1., 1.])"});
    CHECK_SLIPS({"nn.Dropout(1.5)", "error[value]: a probability is from 0 to 1, and this is 1.5",
                 "dropout probability has to be between 0 and 1, but got 1.5"});
}
END_TEST

START_TEST(names_of_axes_go_through_modules)
{
    CHECK_LINES({"V = 10\nC = 4\nm = nn.Sequential(nn.Embedding(V, C), nn.Linear(C, V))", ""},
                {"ids = torch.tensor([[1, 2, 3]])\nB, T, V2 = m(ids).shape\nV2", "(V) 10"},
                {"dims(m(ids))", ""});
    ck_assert_ptr_nonnull(strstr(l.printed.s, "[B=1, T=3, V=10]"));
}
END_TEST

START_TEST(modules_work_with_shapes_only)
{
    make_net();
    es_interp_torch(l.in)->shapes_only = true;
    CHECK_LINES(
        {"m(torch.zeros(2, 3, dtype=torch.long)).shape", "torch.Size([2, 3, 10])"},
        {"Net(50257, 768)(torch.zeros(1, 5, dtype=torch.long)).shape", "torch.Size([1, 5, 50257])"},
        {"nn.Dropout(0.5)(torch.zeros(3)).shape", "torch.Size([3])"});
}
END_TEST

START_TEST(a_trial_leaves_modules_as_they_are)
{
    make_net();
    static const char *const tried[] = {"m.eval().training", "wte.foo = 3", "m.double()",
                                        "m.blocks.append(nn.Linear(1, 1))",
                                        "m.head.weight = nn.Parameter(torch.zeros(1))"};
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        es_error err = ES_ERROR_NONE;
        es_value v = es_none();
        es_unit *unit = es_parse(tried[i], strlen(tried[i]), &err);
        ck_assert_works(es_interp_type(l.in, unit, &v, &err), err);
        es_unit_unref(unit);
        es_value_unref(&v);
    }
    CHECK_LINES({"m.training, m.head.weight.dtype, len(m.blocks), hasattr(wte, 'foo')",
                 "(True, torch.float32, 3, False)"},
                {"m.head.weight is m.emb.weight", "True"});
}
END_TEST

/* ---- attributes ---- */

START_TEST(nearest_looks_at_the_weight_as_it_is)
{
    CHECK_LINES({"[r[0] for r in nearest(wte.weight[3], 2)]", "[3, 20]"},
                {"wte.weight.data[7] = 2 * wte.weight[3]\n[r[0] for r in nearest(wte.weight[3], "
                 "2)]",
                 "[3, 7]"},
                {"wte.weight = nn.Parameter(torch.eye(8))\n[r[0] for r in "
                 "nearest(wte.weight[5], 1)]",
                 "[5]"});
}
END_TEST

START_TEST(attributes_are_registered_by_what_they_are)
{
    make_net();
    CHECK_LINES(
        {"[n for n, p in m.named_parameters()]",
         "['emb.weight', 'blocks.0.ln.weight', 'blocks.0.ln.bias', 'blocks.0.fc.weight', "
         "'blocks.1.ln.weight', 'blocks.1.ln.bias', 'blocks.1.fc.weight', "
         "'blocks.2.ln.weight', 'blocks.2.ln.bias', 'blocks.2.fc.weight']"},
        {"[n for n, p in m.named_parameters(remove_duplicate=False)][-1]", "'head.weight'"},
        {"sum(p.numel() for p in m.parameters())", "112"},
        {"[n for n, b in m.named_buffers()]",
         "['blocks.0.mask', 'blocks.1.mask', 'blocks.2.mask']"},
        {"[n for n, c in m.named_children()]", "['emb', 'blocks', 'head']"},
        {"[n for n, c in m.named_modules(prefix='net')][:4]",
         "['net', 'net.emb', 'net.blocks', 'net.blocks.0']"},
        {"len(list(m.modules())), len(m.buffers()), len(m.blocks[0]._parameters)", "(13, 3, 0)"},
        {"next(m.parameters()).dtype", "torch.float32"},
        {"m.get_submodule('blocks.1.fc')", "Linear(in_features=4, out_features=4, bias=False)"},
        {"m.get_parameter('blocks.1.ln.bias').shape, m.get_buffer('blocks.0.mask').shape",
         "(torch.Size([4]), torch.Size([2, 2]))"});
    CHECK_SLIPS(
        {"m.head.weight = torch.zeros(10, 4)",
         "error[type]: cannot assign 'torch.FloatTensor' as parameter 'weight' "
         "(torch.nn.Parameter or None expected)",
         "cannot assign 'torch.FloatTensor' as parameter 'weight' (torch.nn.Parameter or "
         "None expected)"},
        {"m.emb = 3",
         "error[type]: cannot assign 'int' as child module 'emb' (torch.nn.Module or None "
         "expected)",
         "cannot assign 'int' as child module 'emb' (torch.nn.Module or None expected)"},
        {"m.blocks[0].mask = 'all'",
         "error[type]: cannot assign 'str' as buffer 'mask' (torch.Tensor or None expected)",
         "cannot assign 'str' as buffer 'mask' (torch.Tensor or None expected)"},
        {"m.get_submodule('blocks.7')", "error[name]: 'ModuleList' object has no attribute '7'",
         "'ModuleList' object has no attribute '7'"},
        {"m.register_buffer('emb', None)", "error[name]: attribute 'emb' already exists", ""});
}
END_TEST

START_TEST(what_is_none_stays_a_parameter_or_buffer)
{
    CHECK_LINES(
        {"m = nn.Linear(2, 2)\nm.bias = None\nm", "Linear(in_features=2, out_features=2, "
                                                  "bias=False)"},
        {"m.bias = nn.Parameter(torch.ones(2))\n[n for n, p in m.named_parameters()]",
         "['weight', 'bias']"},
        {"m.register_buffer('b', None)\nm.b = torch.ones(1)\n[n for n, b in "
         "m.named_buffers()]",
         "['b']"},
        {"del m.b\nm.b = torch.ones(1)\nm.buffers()", "[]"},
        {"m.p = torch.ones(1)\nm.p = nn.Parameter(torch.ones(1))\nlen(m.parameters())", "3"});
    CHECK_SLIPS({"m = nn.Linear(2, 2)\nm.bias = None\nm.bias = torch.ones(2)",
                 "error[type]: cannot assign 'torch.FloatTensor' as parameter 'bias' "
                 "(torch.nn.Parameter or None expected)",
                 "cannot assign 'torch.FloatTensor' as parameter 'bias' (torch.nn.Parameter or "
                 "None expected)"},
                {"class X(nn.Module):\n"
                 "    def __init__(self):\n"
                 "        self.fc = nn.Linear(1, 1)\n"
                 "X()",
                 "error[name]: cannot assign module before Module.__init__() call",
                 "cannot assign module before Module.__init__() call"});
}
END_TEST

START_TEST(a_tensor_that_does_not_move_with_its_module_is_named)
{
    static const char *const source[] = {"class P(nn.Module):\n"
                                         "    def __init__(self):\n"
                                         "        super().__init__()\n"
                                         "        self.pe = torch.zeros(4, 2)\n"
                                         "        self.fc = nn.Linear(2, 2)\n"
                                         "    def forward(self, x):\n"
                                         "        return self.fc(x) + self.pe[:3]\n",
                                         "p = P()\np(torch.ones(3, 2)).shape",
                                         "p.to('sim')(torch.ones(3, 2, device='sim'))",
                                         "P()(torch.ones(3, 2, device='sim'))"};
    language_says(&l, source[0]);
    language_says(&l, source[1]);
    language_says(&l, source[2]);
    ck_assert_str_eq(l.err.hint,
                     "help: self.pe is neither a parameter nor a buffer, and .to() leaves it where "
                     "it is\nin __init__: self.register_buffer(\"pe\", …)");
    language_says(&l, source[3]); /* nothing was moved but the input */
    ck_assert(!l.err.hint || !strstr(l.err.hint, "register_buffer"));
}
END_TEST

START_TEST(a_module_changes_as_a_whole)
{
    make_net();
    CHECK_LINES({"m.eval() is m, m.blocks[2].ln.training, m.train().blocks[2].ln.training",
                 "(True, False, True)"},
                {"m.register_buffer('n', torch.tensor(3))\nm.to(torch.float64) is m", "True"},
                {"m.head.weight is m.emb.weight, m.emb.weight.dtype, m.blocks[0].mask.dtype, "
                 "m.n.dtype",
                 "(True, torch.float64, torch.float64, torch.int64)"},
                {"m.float().emb.weight.dtype, isinstance(m.emb.weight, nn.Parameter)",
                 "(torch.float32, True)"},
                {"n = m.to('sim')\nm.emb.weight.device, m.n.device, m.cpu().n.device",
                 "(device(type='sim', index=0), device(type='sim', index=0), "
                 "device(type='cpu'))"},
                {"n = m.requires_grad_(False)\nm.emb.weight.requires_grad", "False"},
                {"seen = []\nn = m.apply(lambda x: seen.append(type(x).__name__))\nseen",
                 "['Embedding', 'LayerNorm', 'Linear', 'Block', 'LayerNorm', 'Linear', 'Block', "
                 "'LayerNorm', 'Linear', 'Block', 'ModuleList', 'Linear', 'Net']"});
    CHECK_SLIPS({"m.half()", "error[unsupported]: there is no half here", ""});
}
END_TEST

START_TEST(containers_are_lists)
{
    CHECK_LINES(
        {"s = nn.Sequential(nn.Linear(1, 2), nn.Dropout(), nn.Linear(2, 3))\nlen(s)", "3"},
        {"s[-1], s[0].out_features", "(Linear(in_features=2, out_features=3, bias=True), 2)"},
        {"s[1:]", "Sequential(\n"
                  "  (1): Dropout(p=0.5, inplace=False)\n"
                  "  (2): Linear(in_features=2, out_features=3, bias=True)\n"
                  ")"},
        {"s[1] = nn.Linear(2, 2)\n[x.out_features for x in s]", "[2, 2, 3]"},
        {"del s[0]\n[n for n, c in s.named_children()]", "['0', '1']"},
        {"a = nn.ModuleList(nn.Linear(i, i) for i in range(1, 4))\n"
         "[x.in_features for x in a]",
         "[1, 2, 3]"},
        {"a.append(nn.Dropout()) is a, len(a.extend([nn.Dropout()])), a[1:3]",
         "(True, 5, ModuleList(\n"
         "  (0): Linear(in_features=2, out_features=2, bias=True)\n"
         "  (1): Linear(in_features=3, out_features=3, bias=True)\n"
         "))"},
        {"a.insert(0, nn.Linear(9, 9))\na[0].in_features, a.pop(0).in_features, len(a)",
         "(9, 9, 5)"},
        {"a[0] in a, nn.Dropout() in a, len(nn.ModuleList())", "(True, False, 0)"},
        {"nn.Sequential({'in': nn.Linear(1, 2), 'out': nn.Linear(2, 1)})(torch.ones(1, "
         "1)).shape",
         "torch.Size([1, 1])"});
    CHECK_SLIPS({"nn.Sequential(3)", "error[type]: int is not a Module subclass",
                 "int is not a Module subclass"},
                {"nn.Sequential([nn.Dropout()])", "error[type]: list is not a Module subclass",
                 "list is not a Module subclass"},
                {"a[9]", "error[index_range]: index 9 is out of range: there are 5 modules, 0 to 4",
                 "index 9 is out of range"},
                {"a(torch.ones(1))",
                 "error[unsupported]: ModuleList has no method called forward, which "
                 "ModuleList(…) would run",
                 "NotImplementedError: Module [ModuleList] is missing the required \"forward\" "
                 "function"});
}
END_TEST

/* ---- states ---- */

START_TEST(a_state_is_all_that_is_kept_by_name)
{
    make_net();
    CHECK_LINES(
        {"list(m.state_dict().keys())[:5]",
         "['emb.weight', 'blocks.0.mask', 'blocks.0.ln.weight', 'blocks.0.ln.bias', "
         "'blocks.0.fc.weight']"},
        {"s = m.state_dict()\n'head.weight' in s, len(s), s['emb.weight'].requires_grad",
         "(True, 14, False)"},
        {"same_storage(s['head.weight'], m.emb.weight)", "True"},
        {"m.register_buffer('n', torch.ones(1), persistent=False)\n'n' in m.state_dict()", "False"},
        {"fc = nn.Linear(1, 2)\nfc.weight.data = torch.tensor([[1.], [2.]])\n"
         "fc.bias = None\nfc.state_dict()",
         "OrderedDict([('weight', tensor([[1.],\n        [2.]]))])"},
        {"nn.Dropout().state_dict(), isinstance(s, dict)", "(OrderedDict(), True)"},
        {"list(fc.state_dict(prefix='fc.'))", "['fc.weight']"});
}
END_TEST

START_TEST(a_state_is_loaded_into_another_of_its_kind)
{
    make_net();
    CHECK_LINES(
        {"n = Net(10, 4)\nn.load_state_dict(m.state_dict())", "<All keys matched successfully>"},
        {"torch.equal(n.blocks[1].fc.weight, m.blocks[1].fc.weight), n.head.weight is "
         "n.emb.weight, n.emb.weight is m.emb.weight",
         "(True, True, False)"},
        {"e = nn.Embedding(50, 8)\ne.load_state_dict({'weight': wte.weight})\n"
         "torch.equal(e(ids), wte(ids))",
         "<All keys matched successfully>\nTrue"},
        {"fc = nn.Linear(1, 2)\nfc.load_state_dict({'bias': torch.ones(2, "
         "dtype=torch.long), 'b': 3}, strict=False)\nfc.bias",
         "_IncompatibleKeys(missing_keys=['weight'], unexpected_keys=['b'])\n"
         "[2] Parameter containing:\ntensor([1., 1.], requires_grad=True)"},
        {"fc.load_state_dict({'weight': torch.zeros(2, 1), 'bias': torch.zeros(2)}, "
         "assign=True)\nisinstance(fc.bias, nn.Parameter)",
         "<All keys matched successfully>\nTrue"});
}
END_TEST

START_TEST(a_state_that_does_not_fit_changes_nothing_and_all_is_listed)
{
    CHECK_LINES({"fc = nn.Linear(2, 3)\nfc.bias.data = torch.ones(3)", ""});
    CHECK_SLIPS(
        {"fc.load_state_dict({'weight': torch.zeros(3, 3), 'bias': torch.zeros(3), 'x': "
         "torch.zeros(1)})",
         "error[value]: this state does not fit Linear: of its tensors 1 not known, 1 of another "
         "size",
         "Error(s) in loading state_dict for Linear:\n"
         "\tUnexpected key(s) in state_dict: \"x\". \n"
         "\tsize mismatch for weight: copying a param with shape torch.Size([3, 3]) from "
         "checkpoint, the shape in current model is torch.Size([3, 2])."},
        {"fc.load_state_dict({'b': torch.zeros(3, 3)})",
         "error[value]: this state does not fit Linear: of its tensors 2 missing, 1 not known",
         "Error(s) in loading state_dict for Linear:\n"
         "\tMissing key(s) in state_dict: \"weight\", \"bias\". \n"
         "\tUnexpected key(s) in state_dict: \"b\". "},
        {"fc.load_state_dict({'weight': 3}, strict=False)",
         "error[value]: this state does not fit Linear: of its tensors 1 of another size",
         "Error(s) in loading state_dict for Linear:\n"
         "\tWhile copying the parameter named \"weight\", expected torch.Tensor or Tensor-like "
         "object from checkpoint but received int"},
        {"fc.load_state_dict('fc.safetensors')",
         "error[type]: a state is a dict of tensors by their names, not 'str'",
         "Expected state_dict to be dict-like, got <class 'str'>."});
    CHECK_LINES({"fc.bias.sum().item()", "3.0"});
    language_run(&l, "fc.load_state_dict({'fc.weight': fc.weight, 'fc.bias': fc.bias})");
    ck_assert_str_eq(l.err.hint,
                     "its names begin with \"fc.\": {k[3:]: v for k, v in state.items()}");
}
END_TEST

START_TEST(copies_of_modules_share_nothing_and_stay_tied)
{
    make_net();
    CHECK_LINES({"import copy\nc = copy.deepcopy(m)\nc.head.weight is c.emb.weight, c.emb.weight "
                 "is m.emb.weight, torch.equal(c.emb.weight, m.emb.weight)",
                 "(True, False, True)"},
                {"len(c.buffers()), len(c.parameters()), c.blocks[0].fc",
                 "(3, 10, Linear(in_features=4, out_features=4, bias=False))"});
}
END_TEST

/* ---- how numbers begin ---- */

START_TEST(init_writes_numbers_of_the_deviation_that_is_asked_for)
{
    CHECK_LINES(
        {"torch.manual_seed(3)\nw = torch.empty(200, 50)", ""},
        {"nn.init.constant_(torch.empty(2), 0.5)", "[2] tensor([0.5000, 0.5000])"},
        {"nn.init.eye_(torch.empty(2, 3))", "[2, 3] tensor([[1., 0., 0.],\n        [0., 1., 0.]])"},
        {"nn.init.ones_(torch.empty(2)), nn.init.zeros_(torch.ones(2))",
         "(tensor([1., 1.]), tensor([0., 0.]))"},
        {"round(nn.init.normal_(w, std=0.02).std().item(), 3)", "0.02"},
        {"round(nn.init.xavier_normal_(w).std().item(), 2), round((2 / 250) ** 0.5, 2)",
         "(0.09, 0.09)"},
        {"round(nn.init.kaiming_normal_(w, nonlinearity='relu').std().item(), 1)", "0.2"},
        {"x = nn.init.kaiming_uniform_(w, a=5 ** 0.5)\nx is w, x.abs().max().item() <= 50 ** "
         "-0.5",
         "(True, True)"},
        {"x = nn.init.trunc_normal_(w, std=2.0, a=-1, b=3)\nx.min().item() >= -1, "
         "x.max().item() <= 3, x.max().item() > 2.9",
         "(True, True, True)"},
        {"x = nn.init.uniform_(w, 2, 3)\nx.min().item() >= 2, x.max().item() < 3", "(True, True)"},
        {"nn.init.calculate_gain('tanh')", "1.6666666666666667"});
    CHECK_SLIPS({"nn.init.xavier_uniform_(torch.empty(3))",
                 "error[value]: what goes in and out is told by two axes, and this has 1",
                 "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"},
                {"nn.init.kaiming_normal_(w, mode='both')",
                 "error[value]: mode is \"fan_in\" or \"fan_out\"",
                 "Mode not supported, please use one of ['fan_in', 'fan_out']"});
}
END_TEST

/* ---- what goes wrong ---- */

START_TEST(wrong_shapes_are_named_as_pytorch_names_them)
{
    CHECK_SLIPS(
        {"nn.Linear(3, 5)(torch.ones(2, 4))", "error[matmul]: inner axes differ, 4 against 3",
         "mat1 and mat2 shapes cannot be multiplied (2x4 and 3x5)"},
        {"nn.LayerNorm(4)(torch.ones(2, 5))",
         "error[broadcast]: layer_norm over [4]: the last axes of [2, 5] are others",
         "Given normalized_shape=[4], expected input with shape [*, 4], but got input of "
         "size[2, 5]"},
        {"nn.Linear(3, 5)(3)",
         "error[type]: linear(): argument 'input' (position 1) must be Tensor, not int", ""},
        {"nn.Linear(3)",
         "error[type]: Linear.__init__() missing 1 required positional argument: "
         "'out_features'",
         ""},
        {"nn.Linear(3, 4)(1, 2)",
         "error[type]: Linear.forward() takes 2 positional arguments but 3 were given", ""},
        {"nn.Linear(3, 4, baas=True)",
         "error[type]: Linear.__init__() got an unexpected keyword argument 'baas'", ""},
        {"nn.Linear(-3, 4)", "error[value]: a size cannot be -3",
         "Trying to create tensor with negative dimension -3: [4, -3]"},
        {"nn.Embedding(5, 3, padding_idx=5)",
         "error[value]: padding_idx is one of the rows, and there are 5",
         "Padding_idx must be within num_embeddings"});
}
END_TEST

START_TEST(a_failing_layer_is_drawn_with_its_weight)
{
    language_run(&l, "fc = nn.Linear(3, 5)\nfc(torch.ones(2, 4))");
    ck_assert_ptr_nonnull(strstr(l.err.drawing, "fc.weight.T"));
    language_run(&l, "s = nn.Sequential(nn.Dropout(), nn.Linear(3, 5))\ns(torch.ones(2, 4))");
    ck_assert_str_eq(l.err.hint,
                     "in the layer (1): Linear(in_features=3, out_features=5, bias=True)");
}
END_TEST

START_TEST(a_table_is_called_by_its_name_in_the_module)
{
    ck_assert(!language_run(&l, "class E(nn.Module):\n"
                                "    def __init__(self):\n"
                                "        super().__init__()\n"
                                "        self.token_embeddings = nn.Embedding(5, 2)\n"
                                "        self.position_embeddings = nn.Embedding(3, 2)\n"
                                "    def forward(self, ids):\n"
                                "        return self.token_embeddings(ids)\n"
                                "e = E()\ne(torch.tensor([[1, 7]]))"));
    ck_assert_str_eq(l.err.message, "id 7 at [0, 1] is outside token_embeddings (5 rows: 0..4)");
    CHECK_LINES({"e.position_embeddings(torch.tensor([3]))",
                 "error[index_range]: position 3 at [0] is outside position_embeddings (3 rows: "
                 "0..2)"},
                {"wte(torch.tensor([50]))",
                 "error[index_range]: id 50 at [0] is outside wte (V=50 rows: 0..49)"},
                {"nn.Embedding(5, 2)(torch.tensor([5]))",
                 "error[index_range]: id 5 at [0] is outside the embedding (5 rows: 0..4)"});
}
END_TEST

START_TEST(modules_too_deep_are_an_error_and_no_crash)
{
    CHECK_LINES({"m = nn.Sequential()\nfor i in range(1000):\n    m = nn.Sequential(m)\n", ""});
    CHECK_SLIPS({"str(m)", "error[range]: modules within modules more than 200 deep",
                 "RecursionError: maximum recursion depth exceeded"},
                {"m(torch.ones(1))", "error[range]: modules within modules more than 200 deep",
                 "RecursionError: maximum recursion depth exceeded"},
                {"m.parameters()", "error[range]: modules within modules more than 200 deep",
                 "RecursionError: maximum recursion depth exceeded"},
                {"m.apply(print)", "error[range]: modules within modules more than 200 deep",
                 "RecursionError: maximum recursion depth exceeded"});
    CHECK_LINES({"s = nn.Module()\ns.me = s\nlen(s.modules())", "1"},
                {"str(s)", "error[range]: modules within modules more than 200 deep"});
}
END_TEST

START_TEST(a_module_is_called_by_its_call_and_prints_as_it_says)
{
    language_says(&l, "class Loud(nn.Module):\n"
                      "    def _get_name(self):\n"
                      "        return 'My' + super()._get_name()\n"
                      "    def __call__(self, *args, **named):\n"
                      "        return super().__call__(*args, **named) * 10\n"
                      "    def forward(self, x, by=1):\n"
                      "        return x + by\n"
                      "class Mine(nn.Module):\n"
                      "    def __repr__(self):\n"
                      "        return 'mine'\n"
                      "class Unbegun(nn.Module):\n"
                      "    def __init__(self, n):\n"
                      "        self.n = n\n"
                      "    def forward(self, x):\n"
                      "        return x * self.n\n"
                      "class Early(nn.Module):\n"
                      "    def __init__(self):\n"
                      "        self.register_buffer('x', torch.zeros(2))\n"
                      "m = nn.Linear(2, 3)\n");
    CHECK_LINES(
        {"Loud()(3), Loud()(3, by=2), m.__call__(torch.ones(1, 2)).shape",
         "(40, 50, torch.Size([1, 3]))"},
        {"nn.Module.__call__(nn.ReLU(), torch.ones(1)).item(), m._get_name()", "(1.0, 'Linear')"},
        {"nn.ModuleList([Loud(), Loud()])", "ModuleList(\n  (0-1): 2 x MyLoud()\n)"},
        {"nn.Sequential(Mine(), Loud())", "Sequential(\n  (0): mine\n  (1): MyLoud()\n)"},
        {"layers = nn.ModuleList([nn.ReLU()])\nlayers += [nn.Tanh()]\nlayers + [m]",
         "ModuleList(\n  (0): ReLU()\n  (1): Tanh()\n"
         "  (2): Linear(in_features=2, out_features=3, bias=True)\n)"},
        {"len(layers)", "2"});
    CHECK_SLIPS({"Unbegun(2)(torch.ones(1))",
                 "error[name]: this Unbegun is no whole module: its __init__ did not call "
                 "super().__init__()",
                 "AttributeError: 'Unbegun' object has no attribute '_backward_hooks'"},
                {"Early()", "error[name]: cannot assign buffer before Module.__init__() call",
                 "cannot assign buffer before Module.__init__() call"},
                {"m.to(torch.int64)",
                 "error[type]: a module's parameters have fractions, and int64 has none",
                 "nn.Module.to only accepts floating point or complex dtypes, but got desired "
                 "dtype=torch.int64"},
                {"m.register_parameter('q', torch.zeros(2))",
                 "error[type]: cannot assign 'torch.FloatTensor' object to parameter 'q'",
                 "cannot assign 'torch.FloatTensor' object to parameter 'q' (torch.nn.Parameter or "
                 "None required)"},
                {"m.register_forward_hook(print)",
                 "error[unsupported]: PyTorch's modules have .register_forward_hook, but it is not "
                 "done here",
                 ""});
}
END_TEST

Suite *modules_suite(void)
{
    Suite *s = suite_create("modules");
    TCase *t = tcase_create("modules");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, modules_print_as_pytorch_prints_them);
    tcase_add_test(t, a_readers_modules_print_what_is_in_them);
    tcase_add_test(t, layers_compute_what_the_functions_of_f_do);
    tcase_add_test(t, functions_are_layers);
    tcase_add_test(t, modules_by_name_and_parameters_by_number);
    tcase_add_test(t, attention_of_several_heads_is_that_of_each);
    tcase_add_test(t, linear_begins_within_the_bounds_of_pytorch);
    tcase_add_test(t, dropout_drops_while_it_trains_only);
    tcase_add_test(t, names_of_axes_go_through_modules);
    tcase_add_test(t, modules_work_with_shapes_only);
    tcase_add_test(t, a_trial_leaves_modules_as_they_are);
    tcase_add_test(t, nearest_looks_at_the_weight_as_it_is);
    tcase_add_test(t, attributes_are_registered_by_what_they_are);
    tcase_add_test(t, what_is_none_stays_a_parameter_or_buffer);
    tcase_add_test(t, a_module_changes_as_a_whole);
    tcase_add_test(t, a_tensor_that_does_not_move_with_its_module_is_named);
    tcase_add_test(t, containers_are_lists);
    tcase_add_test(t, a_state_is_all_that_is_kept_by_name);
    tcase_add_test(t, a_state_is_loaded_into_another_of_its_kind);
    tcase_add_test(t, a_state_that_does_not_fit_changes_nothing_and_all_is_listed);
    tcase_add_test(t, copies_of_modules_share_nothing_and_stay_tied);
    tcase_add_test(t, init_writes_numbers_of_the_deviation_that_is_asked_for);
    tcase_add_test(t, wrong_shapes_are_named_as_pytorch_names_them);
    tcase_add_test(t, a_failing_layer_is_drawn_with_its_weight);
    tcase_add_test(t, a_table_is_called_by_its_name_in_the_module);
    tcase_add_test(t, a_module_is_called_by_its_call_and_prints_as_it_says);
    tcase_add_test(t, modules_too_deep_are_an_error_and_no_crash);
    suite_add_tcase(s, t);
    return s;
}
