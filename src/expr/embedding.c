// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/mem.h"
#include "expr/value.h"
#include "torch/index.h"

es_value es_value_embedding(const char *name, es_table *table, es_backend *be)
{
    const char *rows = strcmp(name, "wpe") == 0 ? "P" : "V";
    es_embedding_object *e = es_alloc(sizeof *e);
    *e = (es_embedding_object){.refs = 1, .name = name, .padding_idx = -1};
    es_tensor weight;
    if (es_torch_weight(&weight, table, be, rows, "C")) {
        e->weight = es_value_parameter(&weight);
    }
    e->table = es_table_ref(table);
    return (es_value){.kind = ES_V_EMBEDDING, .u.o = (es_object *)e};
}
