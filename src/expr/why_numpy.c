// SPDX-License-Identifier: GPL-3.0-or-later
/* NumPy's own wordings. */
#include "expr/why_table.h"

const es_why_topic es_why_numpy[] = {
    {.operation = "NumPy broadcasting: + - * / of two arrays",
     .wordings =
         {"operands could not be broadcast together with shapes {s0} ~{s1}",
          "operands could not be broadcast together with remapped shapes",
          "objects cannot be broadcast to a single shape. ~Mismatch is between arg {n2} with "
          "shape {s0} and arg {n3} with shape {s1}",
          "objects cannot be broadcast to a single shape"},
     .says = "Shapes are compared from the right; on each axis the sizes are equal, or one is 1 or "
             "missing.",
     .numbers = {{"{0}", ES_WHY_PLAIN, "shape of the left array"},
                 {"{0.-1}", ES_WHY_SIZE, "its last axis, which is compared first"},
                 {"{1}", ES_WHY_PLAIN, "shape of the right array"},
                 {"{1.-1}", ES_WHY_SIZE, "its last axis"}},
     .causes = {"(B, T, C) with (B, T): the second needs an axis at the end, b[..., None].",
                "tok_emb + pos_emb with positions that do not count to T: np.arange(T).",
                "The whole table wpe of P rows was added: wpe[:T]."},
     .look = {"print(a.shape, b.shape)"},
     .try = "torch.zeros(2, 5, 8) + torch.zeros(2, 5)"},
    {.operation = "NumPy in place: a result that has grown",
     .wordings =
         {"non-broadcastable output operand with shape {s0} doesn't match the broadcast shape ~"
          "{s1}"},
     .says = "The result is larger than the array it is written into, which cannot grow.",
     .more = "It would be {1}, and the array is {0}.",
     .numbers = {{"{0}", ES_WHY_PLAIN, "shape of the array on the left of +="},
                 {"{1}", ES_WHY_PLAIN, "shape of the result"}},
     .causes = {"pos_emb += tok_emb: write x = tok_emb + pos_emb."},
     .look = {"print(a.shape, b.shape)"},
     .try = "a = torch.zeros(5, 8); a += torch.zeros(2, 5, 8)"},
    {.operation = "NumPy's matmul, a @ b: inner axes",
     .wordings =
         {"matmul: Input operand {n0} has a mismatch in its core dimension {n1}, with gufunc "
          "signature {}(size {n2} is different from ~{n3})",
          "matmul: Input operand {n0} has a mismatch in its core dimension ~{n1}",
          "matmul: Input operand {n0} does not have enough dimensions"},
     .says = "The last axis of the left side must be as long as the second to last of the right "
             "side.",
     .numbers = {{"{0}", ES_WHY_PLAIN, "the operand with the mismatch: 0 is the left, 1 the right"},
                 {"{1}", ES_WHY_PLAIN, "its axis, counted among the last two"},
                 {"{2}", ES_WHY_SIZE, "the size it has there"},
                 {"{3}", ES_WHY_SIZE, "the size it should have, the left side's last axis"}},
     .causes = {"x @ wte with wte (V, C): for logits x @ wte.T.",
                "The letters n, k, m in the text are (n, k) @ (k, m) -> (n, m); ? marks an axis a "
                "vector does not have."},
     .look = {"print(a.shape, b.shape)"},
     .try = "wte(torch.tensor([[1, 2, 3]])) @ wte.weight"},
    {.operation = "NumPy's dot: inner axes",
     .wordings = {"shapes {s0} and {s1} not aligned: ~{n2} (dim {n3}) != {n4} (dim {n5})"},
     .says = "The last axis of the left side must equal the second to last of the right.",
     .more = "They are {2} and {4}.",
     .numbers = {{"{0}", ES_WHY_PLAIN, "shape of the left array"},
                 {"{1}", ES_WHY_PLAIN, "shape of the right array"},
                 {"{2}", ES_WHY_SIZE, "the left one's last axis"},
                 {"{3}", ES_WHY_PLAIN, "which is its axis number {3}, counted from 0"},
                 {"{4}", ES_WHY_SIZE, "the right one's axis that it meets"},
                 {"{5}", ES_WHY_PLAIN, "which is its axis number {5}"}},
     .causes = {"x.dot(wte) with wte (V, C): for logits x.dot(wte.T).",
                "onehot.dot(wte) wants a one-hot of V columns."},
     .look = {"print(a.shape, b.shape)"},
     .try = "torch.zeros(2, 5, 8) @ torch.zeros(50, 8)"},
    {.operation = "NumPy's concatenate: joining arrays",
     .wordings =
         {"all the input array dimensions ~except for the concatenation axis must match "
          "exactly, but along dimension {n0}, the array at index {n1} has size {n2} and the "
          "array at index {n3} has size {n4}",
          "all the input arrays must have same number of dimensions, but ~the array at index "
          "{n1} has {n5} dimension(s) and the array at index {n3} has {n6} dimension(s)",
          "all the input arrays must have same number of dimensions",
          "all input arrays must have the same shape", "need at least one array to "},
     .says = "Beside the axis they are joined along, all arrays must have the same shape; nothing "
             "stretches.",
     .numbers = {{"{0}", ES_WHY_PLAIN, "the axis where they differ, counted from 0"},
                 {"{1}", ES_WHY_PLAIN, "one array of the list"},
                 {"{2}", ES_WHY_SIZE, "its size there"},
                 {"{5}", ES_WHY_PLAIN, "its axes"},
                 {"{3}", ES_WHY_PLAIN, "another array of the list"},
                 {"{4}", ES_WHY_SIZE, "its size there"},
                 {"{6}", ES_WHY_PLAIN, "its axes"}},
     .causes = {"pos_emb (1, T, C) beside tok_emb (B, T, C): np.broadcast_to(pos_emb, "
                "tok_emb.shape) first.",
                "axis= is another than meant.", "Sentences of different length: pad them."},
     .look = {"print([a.shape for a in arrays])"},
     .try = "torch.cat([torch.zeros(2, 5, 8), torch.zeros(1, 5, 8)], dim=-1)"},
    {.operation = "NumPy: axis= beyond the array",
     .wordings = {"axis {n0} is out of bounds for array of dimension ~{n1}"},
     .says = "The array has no such axis.",
     .more = "It has {1}, 0 to {1-1}.",
     .numbers = {{"{0}", ES_WHY_PLAIN, "the axis that was asked for"},
                 {"{1}", ES_WHY_PLAIN, "axes the array has"}},
     .causes = {"There is no batch axis: a[None] adds one.",
                "A sum or mean took the axis away: keepdims=True."},
     .look = {"print(a.shape)"},
     .try = "torch.zeros(5).sum(dim=1)"},
    {.operation = "NumPy: nested lists that are no grid",
     .wordings =
         {"setting an array element with a sequence. ~The requested array has an inhomogeneous "
          "shape after {n0} dimensions. The detected shape was {s1}",
          "Creating an ndarray from ragged nested sequences"},
     .says = "An array is a full grid: every row must have as many entries as the others.",
     .numbers = {{"{0}", ES_WHY_PLAIN, "levels of nesting that are regular"},
                 {"{1}", ES_WHY_PLAIN, "the shape as far as it is regular"}},
     .causes = {"Sentences of different length: pad them to the longest.",
                "A list was assigned to a single element of an array."},
     .look = {"print([len(row) for row in rows])"},
     .try = "torch.tensor([[1, 2], [3]])"},
    {0}};
