// SPDX-License-Identifier: GPL-3.0-or-later
/* Error texts of the lookup itself: ids outside the table, or of a kind that selects no row. */
#include "expr/why_table.h"

#define WHICH_TABLE                                                                                \
    "Two tables can say this. Token ids must be below V = wte.num_embeddings; positions below "    \
    "P = wpe.num_embeddings, so that a text longer than P tokens fails in wpe."

const es_why_topic es_why_ids[] = {
    {.operation = "nn.Embedding, F.embedding or index_select on the CPU: no such row",
     .wordings =
         {"index out of range in self",
          "index out of range: Tried to access index {n0} out of table with ~{n1} rows",
          "Tried to access index {n0} out of table with ~{n1} rows",
          "indices element out of data bounds, idx={n0} must be within the inclusive range ~"
          "[{n2},{n3}]"},
     .says = "An id selects a row of a table, and the table has no such row. Rows are 0 to size-1; "
             "\"self\" is the table.",
     .numbers = {{"{0}", ES_WHY_INDEX, "the id that has no row"},
                 {"{1}", ES_WHY_PLAIN,
                  "the last row there is: these versions print size-1 here, not the size"},
                 {"{2}", ES_WHY_PLAIN, "the lowest index allowed"},
                 {"{3}", ES_WHY_PLAIN, "the highest"}},
     .causes =
         {WHICH_TABLE,
          "The largest legal id is V-1, not V; torch.arange(1, T+1) goes one too far as well.",
          "-1 is no last row here: an embedding does not count from the end. It often is a "
          "padding id or an ignored label.",
          "The tokenizer has more tokens than the table has rows: tokens were added without "
          "model.resize_token_embeddings(len(tokenizer)).",
          "The text is longer than n_ctx: cut it, ids[:, -P:]."},
     .look = {"ids.min(), ids.max(), wte.num_embeddings", "ids.shape[1], wpe.num_embeddings",
              "len(tokenizer)"},
     .try = "wte(torch.tensor([[3, V]]))"},
    {.operation = "the lookup on a GPU (CUDA): no such row",
     .wordings = {"srcIndex < srcSelectDimSize", "vectorized gather kernel index out of bounds",
                  "ind >=0 && ind < ind_dim_size", "idx_dim >= 0 && idx_dim < index_size",
                  "index >= -sizes[i] && index < sizes[i]",
                  "-sizes[i] <= index && index < sizes[i]"},
     .says = "An id selects a row that the table does not have. On the CPU the same slip says "
             "index out of range in self.",
     .causes = {WHICH_TABLE,
                "The largest legal id is V-1; -1, as padding or as an ignored label, is no row "
                "either.",
                "The tokenizer has more tokens than the table has rows.",
                "The numbers in block: [ ] and thread: [ ] say which part of the GPU noticed; they "
                "are no ids."},
     .look = {"ids.min(), ids.max(), wte.num_embeddings   # before the lookup",
              "the same batch on the CPU", "restart Python afterwards: the GPU stays unusable"},
     .try = "wte(torch.tensor([[3, V]]))"},
    {.operation = "a GPU (CUDA) has stopped at a failed check",
     .wordings = {"device-side assert triggered", "an illegal memory access was encountered",
                  "CUDA error: unspecified launch failure", "THCudaCheck FAIL file="},
     .says = "Something on the GPU was out of bounds; the line Python names may be a later one, "
             "for the GPU works behind it.",
     .causes = {"An id outside an embedding table: by far the most frequent cause. A position "
                "counts too: T > P.",
                "A target outside 0..V-1 in cross_entropy (-100 alone is skipped).",
                "Look for a line with Assertion above this one: it says which check it was."},
     .look = {"the same batch on the CPU: the error there has a name and a line",
              "ids.min(), ids.max(), wte.num_embeddings",
              "run again with the environment variable CUDA_LAUNCH_BLOCKING=1"},
     .try = "wte(torch.tensor([[3, V]]))",
     .vague = true},
    {.operation = "indexing with [ ], gather or scatter: no such place on an axis",
     .wordings = {"index {n0} is out of bounds for dimension {n1} with size ~{n2}",
                  "index {n0} is out of bounds for axis {n1} with size ~{n2}",
                  "index {n0} is out of bounds for size {n2}",
                  "index {n0} is out of range for dimension {n1} with size {n2}",
                  "select(): index {n0} out of range for tensor of size {s3} at dimension ~{n1}"},
     .says = "The axis has no such place. Places are 0 to size-1, and here negative numbers count "
             "from the end.",
     .more = "On axis {1} they are 0 to {2-1}.",
     .numbers = {{"{0}", ES_WHY_INDEX, "the index that has no place"},
                 {"{1}", ES_WHY_PLAIN, "the axis, counted from 0 at the left"},
                 {"{2}", ES_WHY_SIZE, "places on that axis: {2-1} is the last"},
                 {"{3}", ES_WHY_PLAIN, "shape of the tensor"}},
     .causes = {"The largest legal index is {2-1}: counting starts at 0.",
                "wte.weight[ids] with an id that the tokenizer knows and the table does not.",
                "wpe.weight[t] with t >= P: the text is longer than the position table.",
                "A loop over another text's length."},
     .look = {"print(x.shape)", "ids.min(), ids.max()"},
     .try_with = "torch.zeros({2}, 8)[torch.tensor([{0}])]",
     .try = "wte.weight[torch.tensor([V])]"},
    {.operation = "TensorFlow's lookup: no such row",
     .wordings = {"indices{s0} = {n1} is not in [0, {n2})"},
     .says = "The table has no row for this id.",
     .more = "Its rows are 0 to {2-1}.",
     .numbers = {{"{0}", ES_WHY_PLAIN, "where the id stands in the batch"},
                 {"{1}", ES_WHY_INDEX, "the id"},
                 {"{2}", ES_WHY_SIZE, "rows of the table"}},
     .causes = {"input_dim of the Embedding must be the largest id plus one.",
                "The position table is shorter than the text."},
     .look = {"the largest id, and the table's number of rows"},
     .try = "wte(torch.tensor([[3, V]]))"},
    {.operation = "nn.Embedding or F.embedding: ids of a dtype that selects no rows",
     .wordings =
         {"Expected tensor for argument #{n0} 'indices' to have one of the following scalar "
          "types: ~Long, Int; but got {w1} instead",
          "Expected tensor for argument #{n0} 'indices' to have scalar type ~Long; but got "
          "{w1} instead",
          "tensors used as indices must be long, ~byte or bool tensors",
          "index_select(): Expected dtype int32 or int64 for index",
          "(): Expected dtype int64 for index", "(): Expected dtype int32/int64 for index",
          "Expected object of scalar type Long but got scalar type {w1} for argument #{n0} "
          "'ind",
          "Expected object of type torch.LongTensor but found type {w1} for argument #{n0} "
          "'ind"},
     .says = "Ids must be whole numbers of 64 or 32 bits, and these are not.",
     .numbers = {{"{0}", ES_WHY_PLAIN,
                  "the argument as PyTorch's C++ counts them; for you it is the ids in wte(ids)"},
                 {"{1}", ES_WHY_DTYPE, "what the ids are"}},
     .causes = {"Ids came from NumPy as floats, or from torch.tensor([]), which is float32: "
                "ids.long().",
                "The vectors, not the ids, were passed: wte(x) instead of wte(ids).",
                "Ids read from a table of numbers with gaps: pandas makes floats of them.",
                "int16, uint8 and bool are refused too, though they are whole numbers."},
     .look = {"print(ids.dtype, ids.shape)"},
     .try = "wte(torch.tensor([1.0, 2.0]))"},
    {.operation = "nn.Embedding or F.embedding: ids that are no tensor",
     .wordings = {"embedding(): argument 'indices' (position {n0}) must be Tensor, not ~{w1}"},
     .says = "A lookup takes a tensor of ids, not a number or a list of Python.",
     .numbers = {{"{0}", ES_WHY_PLAIN, "the argument, after the table; for you it is wte(ids)"},
                 {"{1}", ES_WHY_PLAIN, "what was passed"}},
     .causes = {"wte(5) or wte([1, 2]): write wte(torch.tensor([1, 2])).",
                "The tokenizer's result was passed as it is: its \"input_ids\" hold the ids, and "
                "return_tensors=\"pt\" makes a tensor of them.",
                "A NumPy array: torch.from_numpy(a).long()."},
     .look = {"print(type(ids))"},
     .try = "wte([1, 2])"},
    {.operation = "F.one_hot: a class that does not exist",
     .wordings = {"Class values must be smaller than num_classes",
                  "Class values must be non-negative"},
     .says = "one_hot makes num_classes columns, for the ids 0 to num_classes-1, and one id is "
             "outside.",
     .causes = {"num_classes must be V, the number of rows of the table, not the number of "
                "different ids in this text.",
                "-1 or -100 as padding or as an ignored label: replace it or mask it first."},
     .look = {"ids.min(), ids.max()"},
     .try = "F.one_hot(torch.tensor([5]), 3)"},
    {.operation = "F.one_hot: ids of another dtype, or none at all",
     .wordings = {"one_hot is only applicable to index tensor",
                  "Can not infer total number of classes from empty tensor"},
     .says = "one_hot takes ids of int64, and without num_classes at least one of them.",
     .causes = {"Ids are floats or int32: ids.long().", "An empty text: give num_classes=V."},
     .look = {"print(ids.dtype, ids.shape)"},
     .try = "F.one_hot(torch.tensor([1.0]))"},
    {.operation = "nn.Embedding: a padding_idx outside the table",
     .wordings = {"Padding_idx must be within num_embeddings",
                  "padding_idx must be within the number of embeddings"},
     .says = "padding_idx is a row of the table, so it must be below num_embeddings.",
     .causes = {"The padding token was added to the tokenizer and the table has no row for it: one "
                "row more.",
                "GPT-2 has no padding token at all; people use 50256."},
     .look = {"padding_idx, num_embeddings"}},
    {0}};
