// SPDX-License-Identifier: GPL-3.0-or-later
/* Views, subscripts, joining, making and order as the language has them. */
#include "language.h"

#include "support.h"

Suite *language_shapes_suite(void);

static language l;

static void setup(void)
{
    language_begin(&l);
}

static void teardown(void)
{
    language_end(&l);
}

START_TEST(every_example_works_as_it_stands)
{
    static const es_builtin *const tables[] = {
        es_builtins_views, es_builtins_index,  es_builtins_join, es_builtins_repeat,
        es_builtins_make,  es_builtins_random, es_builtins_order};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const es_builtin *b = tables[t]; b->name; b++) {
            demand(b->summary && b->rule && b->run, "%s has no help", b->name);
            demand(language_run(&l, b->example), "%s: %s\n%s", b->name, l.err.message, b->example);
            es_str_cut(&l.shown, 0);
        }
}
END_TEST

typedef struct said {
    const char *source, *says;
} said;

static void check(const said *cases, size_t n)
{
    ck_assert(language_run(&l, "B, T = ids.shape; x = wte(ids)"));
    for (size_t i = 0; i < n; i++) {
        const char *says = language_says(&l, cases[i].source);
        demand(!strcmp(says, cases[i].says), "%s: %s", cases[i].source, says);
    }
}
#define check_all(cases) check(cases, sizeof(cases) / sizeof *(cases))

START_TEST(names_go_through_functions)
{
    static const said cases[] = {
        {"x.view(5, 2, 8).names", "('?', '?', 'C')"},
        {"x.view(B * T, C).names", "('B·T', 'C')"},
        {"x.view(B, T, 2, -1).names", "('B', 'T', None, 'C/2')"},
        {"x.transpose(1, 2).names", "('B', 'C', 'T')"},
        {"x.permute((2, 0, 1)).names", "('C', 'B', 'T')"},
        {"x.unsqueeze(0).names", "(None, 'B', 'T', 'C')"},
        {"x[:, :3].names", "('B', 'T[:3]', 'C')"},
        {"x[0, :, None].names", "('T', None, 'C')"},
        {"x[ids > 3].names", "('n', 'C')"},
        {"wte.weight[ids].names", "('B', 'T', 'C')"},
        {"torch.eye(V)[ids].names", "('B', 'T', 'V')"},
        {"F.one_hot(ids, V).names", "('B', 'T', 'V')"},
        {"torch.cat([x, x], dim=-1).names", "('B', 'T', '2C')"},
        {"wpe(torch.arange(0, T)).expand(B, -1, -1).names", "('B', 'T', 'C')"},
        {"torch.zeros(B, T, C).names", "('B', 'T', 'C')"},
        {"torch.arange(T).names", "('T',)"},
        {"torch.arange(1, T).names", "('T-1',)"},
        {"F.pad(ids, (1, 0)).names", "('B', 'T+1')"},
        {"torch.cat([x, x, x], -1).chunk(3, -1)[1].names", "('B', 'T', 'C')"},
        {"x.rename('B', None, 'D').names", "('B', None, 'D')"},
    };
    check_all(cases);
    ck_assert(language_run(&l, "x.view(5, 2, 8)"));
    ck_assert_str_eq(l.noted.s, "row-major re-read mixes B and T\n");
    ck_assert(!language_run(&l, "x.transpose(1, 2).view(4, 20)")); /* nothing was read */
    ck_assert_str_eq(es_str_text(&l.noted), "");
}
END_TEST

START_TEST(lists_become_tensors)
{
    static const said cases[] = {
        {"torch.tensor([[1, 2], [3, 4]])", "[2, 2] tensor([[1, 2],\n        [3, 4]])"},
        {"torch.tensor([1.0, 2]).dtype", "torch.float32"},
        {"torch.tensor([True, 2])", "[2] tensor([1, 2])"},
        {"torch.tensor([])", "[0] tensor([])"},
        {"torch.tensor([[]]).shape", "torch.Size([1, 0])"},
        {"torch.tensor(range(2, 8, 3))", "[2] tensor([2, 5])"},
        {"torch.tensor([ids.sum(), 1])", "[2] tensor([87,  1])"},
        {"torch.tensor([1.9, -1.9], dtype=torch.long)", "[2] tensor([ 1, -1])"},
        {"torch.tensor([[1, 2], [3]])", "error[ragged]: the list at [1] has 1, the first one 2: a "
                                        "tensor has no rows of unequal length"},
        {"torch.tensor([1, [2]])", "error[ragged]: at [1] there is a list, and a number in its "
                                   "place before: all lists must be of one shape"},
        {"torch.tensor([[1], 2])", "error[ragged]: at [1] there is one number, and a list of 1 "
                                   "before: all lists must be of one shape"},
        {"torch.tensor('a')", "error[type]: a tensor holds numbers, not text"},
        {"torch.tensor([None])", "error[type]: a tensor holds numbers, and a NoneType is none"},
        {"torch.tensor([x, x])", "error[value]: a list for tensor() holds numbers, and this is a "
                                 "tensor [B=2, T=5, C=8]"},
        {"torch.tensor([3000000000], dtype=torch.int32)",
         "error[range]: 3000000000 does not fit into int32"},
        {"a = []; a.append(a); torch.tensor(a)",
         "error[dim_range]: lists are nested deeper than the 8 axes that a tensor has at most "
         "here"},
    };
    check_all(cases);
}
END_TEST

START_TEST(arguments_come_in_pytorchs_ways)
{
    static const said cases[] = {
        {"x.view((10, 8)).shape", "torch.Size([10, 8])"},
        {"x.view(size=(10, 8)).shape", "torch.Size([10, 8])"},
        {"torch.reshape(x, (10, 8)).shape", "torch.Size([10, 8])"},
        {"torch.permute(x, (0, 2, 1)).shape", "torch.Size([2, 8, 5])"},
        {"x.flatten(start_dim=1).shape", "torch.Size([2, 40])"},
        {"x.squeeze(dim=(0, 1)).shape", "torch.Size([2, 5, 8])"},
        {"x.split([1, 4], dim=1)[1].shape", "torch.Size([2, 4, 8])"},
        {"x.split(2, 1)[2].shape", "torch.Size([2, 1, 8])"},
        {"len(x.chunk(3, 1))", "3"},
        {"torch.arange(end=3)", "[3] tensor([0, 1, 2])"},
        {"torch.arange(5, step=2)", "[3] tensor([0, 2, 4])"},
        {"torch.full((2,), 0.5)", "[2] tensor([0.5000, 0.5000])"},
        {"torch.full((2,), 7).dtype", "torch.int64"},
        {"x.new_full((2,), 3)", "[2] tensor([3., 3.])"},
        {"torch.randint(10, (2, 3)).shape", "torch.Size([2, 3])"},
        {"torch.randint(10, size=(2,)).shape", "torch.Size([2])"},
        {"torch.randint(3, 4, (2,))", "[2] tensor([3, 3])"},
        {"torch.manual_seed(1); a = torch.rand(3); torch.manual_seed(1); torch.equal(a, "
         "torch.rand(3))",
         "True"},
        {"torch.arange(6).view(2, 3).roll(1)", "[2, 3] tensor([[5, 0, 1],\n        [2, 3, 4]])"},
        {"torch.hstack([torch.arange(2), torch.arange(1)])", "[3] tensor([0, 1, 0])"},
        {"torch.vstack([torch.arange(2), torch.arange(2)]).shape", "torch.Size([2, 2])"},
        {"ids.unique(return_counts=True)[1].sum()", "[] tensor(10)"},
        {"torch.zeros(2, -1)", "error[value]: a size cannot be -1"},
        {"torch.arange(5, 0)", "error[range]: steps of 1 never get from 5 to 0"},
        {"torch.topk(wte.weight[3], 9)", "error[index_range]: the 9 largest of axis 0 are asked "
                                         "for, and it has C=8"},
        {"F.embedding(wte.weight, ids)",
         "error[dtype]: ids are whole numbers, int64 or int32, and these are float32"},
        {"F.pad(ids, (1, 0), mode='reflect')",
         "error[unsupported]: pad fills with one number here, mode=\"constant\""},
    };
    check_all(cases);
}
END_TEST

START_TEST(tables_of_ones_own)
{
    static const said cases[] = {
        {"e = nn.Embedding(5, 3, padding_idx=-1); e(ids[:1] % 5).shape", "torch.Size([1, 5, 3])"},
        {"e.weight[4]", "[3] tensor([0., 0., 0.])"},
        {"e.padding_idx", "4"},
        {"e(torch.tensor([[0, 5]]))",
         "error[index_range]: id 5 at [0, 1] is outside the embedding (5 rows: 0..4)"},
        {"nn.Embedding(5, 3, padding_idx=5)",
         "error[value]: padding_idx is one of the rows, and there are 5"},
        {"w = e.weight; w[1] = 7; e(torch.tensor(1))", "[3] tensor([7., 7., 7.])"},
    };
    check_all(cases);
}
END_TEST

START_TEST(writing_is_seen_by_all_views)
{
    static const said cases[] = {
        {"y = torch.zeros(3); y[1] = 4; y", "[3] tensor([0., 4., 0.])"},
        {"y[y > 0] = -1; y", "[3] tensor([ 0., -1.,  0.])"},
        {"y[torch.tensor([0, 2])] += 1; y", "[3] tensor([ 1., -1.,  1.])"},
        {"w = wte.weight; r = w[2]; w[2, 0] = 5; r[0]", "[] tensor(5.)"},
        {"r += 1; w[2, 0]", "[] tensor(6.)"},
        {"w[2].storage_offset()", "16"},
    };
    check_all(cases);
}
END_TEST

Suite *language_shapes_suite(void)
{
    Suite *s = suite_create("language_shapes");
    TCase *tc = tcase_create("language");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, every_example_works_as_it_stands);
    tcase_add_test(tc, names_go_through_functions);
    tcase_add_test(tc, lists_become_tensors);
    tcase_add_test(tc, arguments_come_in_pytorchs_ways);
    tcase_add_test(tc, tables_of_ones_own);
    tcase_add_test(tc, writing_is_seen_by_all_views);
    suite_add_tcase(s, tc);
    return s;
}
