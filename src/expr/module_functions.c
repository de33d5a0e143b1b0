// SPDX-License-Identifier: GPL-3.0-or-later
/* nn's layers without parameters: Dropout, and functions that stand in a Sequential. */
#include "expr/module_layers.h"

static bool run_Dropout(es_args *a, es_value *out, es_error *err)
{
    double p = 0.5;
    *out = es_none();
    if (!es_module_begin(a, err) || (es_given(a, 1) && !es_arg_double(a, 1, &p, err)))
        return false;
    if (!(p >= 0 && p <= 1)) {
        es_fail(err, ES_ERR_VALUE, "a probability is from 0 to 1, and this is %g", p);
        es_torch_says(err, "dropout probability has to be between 0 and 1, but got %g", p);
        return es_arg_blame(a, 1, err);
    }
    return es_layer_keep(a, 1, es_value_float(0.5), err) &&
           es_layer_keep(a, 2, es_value_bool(false), err);
}

/* The one argument is whether it writes into its input. */
static bool run_in_place(es_args *a, es_value *out, es_error *err)
{
    bool in_place;
    *out = es_none();
    return es_module_begin(a, err) && es_arg_bool(a, 1, false, &in_place, err) &&
           es_layer_keep(a, 1, es_value_bool(false), err);
}

static bool run_plain(es_args *a, es_value *out, es_error *err)
{
    *out = es_none();
    return es_module_begin(a, err);
}

static bool run_GELU(es_args *a, es_value *out, es_error *err)
{
    *out = es_none();
    return es_module_begin(a, err) && es_layer_keep(a, 1, es_value_str("none", 4), err);
}

static bool run_along(es_args *a, es_value *out, es_error *err)
{
    int64_t dim;
    *out = es_none();
    return es_module_begin(a, err) && (!es_given(a, 1) || es_arg_int64(a, 1, &dim, err)) &&
           es_layer_keep(a, 1, es_none(), err);
}

static bool run_Flatten(es_args *a, es_value *out, es_error *err)
{
    *out = es_none();
    return es_module_begin(a, err) && es_layer_keep(a, 1, es_value_int(1), err) &&
           es_layer_keep(a, 2, es_value_int(-1), err);
}

static bool run_identity(es_args *a, es_value *out, es_error *err)
{
    return es_arg_module(a, 0, err) && es_answer(out, es_value_ref(&a->v[1]));
}

#define SAME "the same shape"
#define X    "x = torch.arange(-2., 3.)\n"

/* A class without parameters and its forward. */
#define FUNCTION(NAME, PARAMS, GIVEN, SUMMARY, HELP, INIT)                                         \
    {NAME, ES_IN_NN | ES_CLASS,           "self" PARAMS, "a layer: " SUMMARY, SAME,                \
     HELP, X "nn." NAME "(" GIVEN ")(x)", INIT},                                                   \
    {                                                                                              \
        NAME ".forward", ES_IN_NN, "self, input", SUMMARY, SAME, NULL,                             \
            X "nn." NAME "(" GIVEN ").forward(x)", es_layer_forward                                \
    }

const es_builtin es_builtins_module_functions[] = {
    {"Dropout", ES_IN_NN | ES_CLASS, "self, p=0.5, inplace=False",
     "a layer that drops numbers while it trains: .eval() stops that", "the same shape",
     "While training, each number becomes 0 with probability p, and those that stay are divided "
     "by 1 - p.  A module trains until .eval() is called.  " ES_OWN_GENERATOR,
     "drop = nn.Dropout(0.1)\ndrop.eval()\ndrop(torch.ones(4))", run_Dropout},
    {"Dropout.forward", ES_IN_NN, "self, input", "F.dropout, while it trains", "the same shape",
     NULL, "nn.Dropout(0.1).forward(torch.ones(4))", es_layer_forward},
    FUNCTION("GELU", ", approximate='none'", "",
             "each number times the chance that a normal variable lies below it",
             "approximate=\"tanh\" is the form that GPT-2 was trained with.", run_GELU),
    FUNCTION("ReLU", ", inplace=False", "", "each number, or 0 where it is negative", NULL,
             run_in_place),
    FUNCTION("SiLU", ", inplace=False", "", "each number times its sigmoid", NULL, run_in_place),
    FUNCTION("Tanh", "", "", "each number squashed between -1 and 1", NULL, run_plain),
    FUNCTION("Sigmoid", "", "", "each number squashed between 0 and 1", NULL, run_plain),
    FUNCTION("Softmax", ", dim=None", "-1",
             "numbers as shares: positive, and of sum 1 along the axis", NULL, run_along),
    FUNCTION("LogSoftmax", ", dim=None", "-1", "the logarithm of softmax", NULL, run_along),
    {"Flatten", ES_IN_NN | ES_CLASS, "self, start_dim=1, end_dim=-1",
     "a layer that merges neighbouring axes into one", "(B, …) → (B, …·…)", NULL,
     "nn.Flatten()(torch.zeros(2, 3, 4)).shape", run_Flatten},
    {"Flatten.forward", ES_IN_NN, "self, input", "neighbouring axes merged into one",
     "(B, …) → (B, …·…)", NULL, "nn.Flatten().forward(torch.zeros(2, 3, 4)).shape",
     es_layer_forward},
    {"Identity", ES_IN_NN | ES_CLASS, "self, *args, **kwargs",
     "a layer that gives what it is given", SAME, "It takes any arguments, and uses none.",
     X "nn.Identity()(x)", run_plain},
    {"Identity.forward", ES_IN_NN, "self, input", "what it is given", SAME, NULL,
     X "nn.Identity().forward(x)", run_identity},
    {.name = NULL},
};
