// SPDX-License-Identifier: GPL-3.0-or-later
/* nn.Module and nn's own modules: what their instances hold beside plain attributes, and who may hold what. */
#ifndef ES_EXPR_MODULES_H
#define ES_EXPR_MODULES_H

#include "expr/object.h"

/* ---- classes ---- */

/* The TYPE torch.nn.NAME, if NAME is one of nn's modules here. */
bool es_module_type(const char *name, size_t n, es_value *out);
/* The entry of a method by the class's name and its own: "Linear", "forward"; __init__ is the class's own entry. */
const es_builtin *es_module_entry(const char *type, const char *name, size_t n);

/* ---- what a module holds ---- */

/* What an attribute is to its module. */
typedef enum es_part_of {
    ES_PLAIN,
    ES_PARAMETER,
    ES_BUFFER,
    ES_BUFFER_UNSAVED, /* register_buffer(…, persistent=False): not in its state_dict */
    ES_SUBMODULE
} es_part_of;

typedef struct es_member {
    const char *name; /* borrowed, like x */
    const es_value *x;
    es_part_of as;
} es_member;

/* The i-th attribute of its own, from 0 on; false: there are no more.  A parameter, buffer or submodule may be
 * None: it is PARAMETER and so on all the same. */
bool es_module_member(const es_value *m, int64_t i, es_member *out);
/* What the attribute of that name is. */
es_part_of es_module_part(const es_value *m, const char *name, size_t n);
static inline bool es_is_buffer(es_part_of as)
{
    return as == ES_BUFFER || as == ES_BUFFER_UNSAVED;
}

/* m.name = x as PyTorch has it, and del m.name: a parameter is a parameter or None from then on.  Takes x
 * over. */
bool es_module_put(es_interp *in, const es_value *m, const char *name, size_t n, es_value x,
                   es_error *err);
void es_module_forget(const es_value *m, const char *name, size_t n);
/* The attribute becomes x, whatever it was, and is that from then on.  Takes x over. */
bool es_module_register(es_interp *in, const es_value *m, const char *name, size_t n, es_value x,
                        es_part_of as, es_error *err);

/* The function of F that computes what it does, "linear"; "": there is none. */
const char *es_module_function(const es_value *m);

/* What messages call it: by the name it was first given in another, "token_embeddings"; NULL: it has none. */
const char *es_module_called(const es_value *m);
void es_module_call_it(es_interp *in, const es_value *m, const char *name);

/* A function that goes into modules within modules does so between these.  False: too deep. */
bool es_module_enter(es_interp *in, es_error *err);
void es_module_leave(es_interp *in);

/* Each module within m, m itself first with the name prefix; `once`: one that is met again is passed over. */
typedef bool es_module_visit(void *user, const char *name, const es_value *module, es_error *err);
bool es_module_walk(es_interp *in, const es_value *m, const char *prefix, bool once,
                    es_module_visit *fn, void *user, es_error *err);

/* ---- for the entries of nn's modules ---- */

/* The module that a method was called of: its first argument; NULL: it is none. */
const es_value *es_arg_module(es_args *a, int i, es_error *err);
/* A method of modules whose first argument is a name. */
bool es_arg_named_module(es_args *a, const es_str_object **name, es_error *err);
/* Has Module.__init__ been called of it?  What is said where it has not; what: "parameters". */
bool es_module_begun(const es_value *m);
bool es_fail_not_begun(const es_value *m, es_error *err);
bool es_fail_before_init(const char *what, es_error *err);
const char *es_torch_type_name(const es_value *x); /* "torch.FloatTensor", "int" */
/* What each __init__ of nn's begins with: Module's. */
bool es_module_begin(es_args *a, es_error *err);
bool es_fail_no_module(const es_value *v, es_error *err); /* v is to be one, and is none */
bool es_module_set(es_args *a, const char *name, es_value x, es_error *err); /* takes x over */
/* self.name = nn.Parameter(t), if it was made: takes t over. */
bool es_module_set_parameter(es_args *a, const char *name, es_tensor *t, bool made, es_error *err);

/* ---- the methods of every module that files of their own have ---- */

bool es_state_dict_run(es_args *a, es_value *out, es_error *err);
bool es_load_state_dict_run(es_args *a, es_value *out, es_error *err);

/* A module for the examples of methods: m. */
#define ES_MODULE_EXAMPLE                                                                          \
    "class Net(nn.Module):\n"                                                                      \
    "    def __init__(self):\n"                                                                    \
    "        super().__init__()\n"                                                                 \
    "        self.emb = nn.Embedding(10, 4)\n"                                                     \
    "        self.fc = nn.Linear(4, 2)\n"                                                          \
    "    def forward(self, ids):\n"                                                                \
    "        return self.fc(self.emb(ids))\n"                                                      \
    "m = Net()\n"

/* What is said of numbers that are drawn. */
#define ES_OWN_GENERATOR                                                                           \
    "The generator is this program's own (Philox4x32-10): the same seed gives the same "           \
    "numbers on every machine, but not PyTorch's."

/* ---- nn.Embedding ---- */

/* The weight that it looks rows up in, borrowed; NULL: v is no Embedding, or has none. */
const es_tensor *es_embedding_weight(const es_value *v);
bool es_is_embedding(const es_value *v);
/* One of the program's own tables: "wte".  A reference to the table of its own. */
es_value es_embedding_of_table(es_interp *in, const char *name, es_table *table, es_backend *be);
const char *es_embedding_called(const es_value *v); /* "wte", "the embedding" */

#endif
