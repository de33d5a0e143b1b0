// SPDX-License-Identifier: GPL-3.0-or-later
/* Error texts of + - * / and of copying: shapes that do not stretch to each other. */
#include "expr/why_table.h"

const es_why_topic es_why_broadcast[] = {
    {.operation = "broadcasting: + - * / == or where(), element by element on two tensors",
     .wordings = {"The size of tensor a ({n0}) must match ~the size of tensor b ({n1}) at "
                  "non-singleton dimension {n2}",
                  "must match the size of tensor b ({n1}) at non-singleton dimension ~{n2}",
                  "Attempting to broadcast a dimension of length {n3} at {n4}! ~Mismatching "
                  "argument at index {n5} had {s6}; but expected shape should be broadcastable to "
                  "{s7}",
                  "Shapes are not broadcastable"},
     .says = "Shapes are compared from the right. On each axis both sizes are equal, or one of "
             "them is 1 or missing and stretches.",
     .more = "On axis {2} here they are {0} and {1}.",
     .numbers = {{"{0}", ES_WHY_SIZE, "size of a, the left operand, on that axis"},
                 {"{1}", ES_WHY_SIZE, "size of b, the right operand, on the same axis"},
                 {"{2}", ES_WHY_PLAIN,
                  "the axis, counted from 0 at the left of the result's shape, which has as many "
                  "axes as the longer of the two"},
                 {"{3}", ES_WHY_SIZE, "size of one operand on that axis"},
                 {"{4}", ES_WHY_PLAIN, "the axis, counted from -1 at the right"},
                 {"{5}", ES_WHY_PLAIN, "the operand, counted from 0"},
                 {"{6}", ES_WHY_PLAIN, "its shape"},
                 {"{7}", ES_WHY_PLAIN, "the shape it was to stretch to"}},
     .causes = {"tok_emb + pos_emb where positions do not count to T: it must be "
                "torch.arange(T) with T = ids.shape[1], not B, not P, not the length of another "
                "batch.",
                "The whole position table was added: wpe.weight has P rows; take "
                "wpe(torch.arange(T)) or wpe.weight[:T].",
                "An axis is missing in the middle: (B, T, C) + (B, C) needs b.unsqueeze(1), or "
                "its B meets T.",
                "A mask made for n_ctx was not cut: mask[:T, :T].",
                "Two tables of different width C were added."},
     .look = {"print(a.shape, b.shape)", "ids.shape, positions.shape"},
     .try = "wte(torch.tensor([[1, 2, 3]])) + wpe(torch.arange(2))"},
    {.operation = "an operation in place: a += b, a.add_(b), a.copy_(b)",
     .wordings = {"output with shape {s0} doesn't match the broadcast shape ~{s1}"},
     .says = "The result is larger than the tensor that must hold it, which cannot grow.",
     .more = "It would be {1}, and the tensor is {0}.",
     .numbers = {{"{0}", ES_WHY_PLAIN, "shape of the tensor that is written to"},
                 {"{1}", ES_WHY_PLAIN, "shape of the result"}},
     .causes = {"pos_emb += tok_emb: (T, C) would have to become (B, T, C). Write x = tok_emb + "
                "pos_emb, or tok_emb += pos_emb.",
                "The smaller tensor stands on the left of +=."},
     .look = {"print(a.shape, b.shape)"},
     .try = "a = torch.zeros(5, 8); a += torch.zeros(2, 5, 8)"},
    {.operation = "expand(), or an assignment such as a[:] = b: stretching one tensor to a shape",
     .wordings = {"The expanded size of the tensor ({n0}) must match ~the existing size ({n1}) at "
                  "non-singleton dimension {n2}. Target sizes: {s3}. Tensor sizes: {s4}",
                  "expand: attempting to expand a dimension of length {n1} -> {n0}!"},
     .says = "Only an axis of size 1 stretches, and this one has another size.",
     .more = "It has {1} and should become {0}.",
     .numbers = {{"{0}", ES_WHY_SIZE, "the size that axis was to get"},
                 {"{1}", ES_WHY_SIZE, "the size it has"},
                 {"{2}", ES_WHY_PLAIN, "the axis, counted from 0 at the left of the target"},
                 {"{3}", ES_WHY_PLAIN, "the target shape"},
                 {"{4}", ES_WHY_PLAIN, "the tensor's shape"}},
     .causes = {"BERT and others keep position_ids for at most 512 tokens and expand them: a "
                "longer text fails here, not in the table.",
                "x.expand(B, T, C) on a tensor whose T is another: expand repeats, it does not "
                "resize.",
                "repeat(…) was meant: it copies an axis of any size several times."},
     .look = {"print(x.shape)", "ids.shape[1] against the number of positions"},
     .try = "torch.zeros(4, 8).expand(2, 5, 8)"},
    {.operation = "expand(): fewer sizes than axes",
     .wordings = {"the number of sizes provided ({n0}) must be greater or equal to ~the number of "
                  "dimensions in the tensor ({n1})"},
     .says = "expand() may add axes at the left but cannot take any away.",
     .numbers = {{"{0}", ES_WHY_PLAIN, "sizes that were given"},
                 {"{1}", ES_WHY_PLAIN, "axes that the tensor has"}},
     .causes = {"The batch axis is already there: give all sizes, -1 keeps one.",
                "expand_as(b) where b has fewer axes than a: the two are swapped."},
     .look = {"print(x.shape, x.ndim)"},
     .try = "torch.zeros(2, 5, 8).expand(5, 8)"},
    {.operation = "repeat(): fewer numbers than axes",
     .wordings = {"Number of dimensions of repeat dims can not be smaller than number of "
                  "dimensions of tensor"},
     .says = "repeat() wants a number for every axis.",
     .causes = {"x.repeat(B) on a tensor of two axes: write x.repeat(B, 1)."},
     .look = {"print(x.shape, x.ndim)"},
     .try = "torch.zeros(5, 8).repeat(2)"},
    {.operation = "named tensors: adding with names that do not line up",
     .wordings = {"Misaligned dims when attempting to broadcast dims ~{w0} and dims {w1}: dim {w2} "
                  "appears in a different position from the right",
                  "Error when attempting to broadcast dims ~{w0} and dims {w1}: dim {w2} and dim "
                  "{w3} are at the same position from the right but do not match"},
     .says = "Shapes line up from the right, and there the names differ. The sizes may be equal "
             "by luck, which is what names are for.",
     .numbers = {{"{0}", ES_WHY_PLAIN, "names of the left operand"},
                 {"{1}", ES_WHY_PLAIN, "names of the right operand"},
                 {"{2}", ES_WHY_PLAIN, "the name that is in the way"},
                 {"{3}", ES_WHY_PLAIN, "the name it meets there"}},
     .causes = {"(T, 1) + (T): without names this gives (T, T) and no error. One of the two is "
                "turned the wrong way.",
                "(C, T) + (B, T, C): transpose the first."},
     .look = {"print(a.names, a.shape, b.names, b.shape)"}},
    {.operation = "named tensors: an operation that does not know names yet",
     .wordings = {"{w0} is not yet supported with named tensors"},
     .says = "PyTorch has this operation for tensors without names only.",
     .numbers = {{"{0}", ES_WHY_PLAIN, "the operation"}},
     .causes = {"Drop the names before and give them back after: x.rename(None), then "
                "x.refine_names(…)."},
     .look = {"print(x.names)"}},
    {0}};
