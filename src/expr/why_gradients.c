// SPDX-License-Identifier: GPL-3.0-or-later
/* Error texts of autograd and of tensors that share memory. */
#include "expr/why_table.h"

const es_why_topic es_why_gradients[] = {
    {.operation = "an operation in place on a table that learns",
     .wordings = {"a leaf Variable that requires grad is being used in an in-place operation",
                  "a leaf Variable that requires grad has been used in an in-place operation",
                  "a view of a leaf Variable that requires grad is being used in an in-place "
                  "operation"},
     .says = "A parameter is changed by the optimizer; changing it by hand would spoil its "
             "gradient.",
     .causes = {"wte.weight[0] = 0, wte.weight.normal_(): write it inside with torch.no_grad():.",
                "wte.weight += …: the same, or wte.weight.data."},
     .look = {"print(x.is_leaf, x.requires_grad)"}},
    {.operation = "an operation in place on a tensor whose elements share memory",
     .wordings =
         {"unsupported operation: more than one element of the written-to tensor refers to a "
          "single memory location",
          "unsupported operation: some elements of the input tensor and the written-to tensor "
          "refer to a single memory location"},
     .says = "expand() repeats without copying: many places of the shape are one number in memory.",
     .causes = {"pos_emb.expand(B, -1, -1).add_(tok_emb): clone() it first, or write a new tensor, "
                "tok_emb + pos_emb.",
                "x[1:] = x[:-1]: both sides overlap, x[:-1].clone()."},
     .look = {"print(x.shape, x.stride())   # a stride of 0 repeats"},
     .try = "torch.zeros(1, 8).expand(5, 8).add_(1)"},
    {.operation = "backward: a tensor that was needed has been changed",
     .wordings = {"one of the variables needed for gradient computation has been modified by an "
                  "inplace operation",
                  "Trying to backward through the graph a second time"},
     .says = "backward() needs the numbers of the forward pass, and they are gone or changed.",
     .causes = {"x += pos_emb between two uses of x: x = x + pos_emb.",
                "backward() twice on one loss; or a hidden state of the last batch: .detach() it."},
     .look = {"torch.autograd.set_detect_anomaly(True)"}},
    {.operation = "backward: nothing to compute a gradient for",
     .wordings = {"element {n0} of tensors does not require grad and does not have a grad_fn",
                  "grad can be implicitly created only for scalar outputs"},
     .says = "backward() starts at one number that depends on parameters.",
     .numbers = {{"{0}", ES_WHY_PLAIN, "which of the tensors, from 0"}},
     .causes = {"The table is frozen: nn.Embedding.from_pretrained freezes it unless freeze=False.",
                "It was computed under torch.no_grad(), or detached, or became an argmax.",
                "The loss is not yet one number: .mean()."},
     .look = {"print(loss.shape, loss.requires_grad, wte.weight.requires_grad)"}},
    {.operation = ".numpy() of a tensor that learns",
     .wordings = {"Can't call numpy() on {w0} that requires grad",
                  "Can't call numpy() on Tensor that requires grad"},
     .says = "NumPy knows no gradients, so PyTorch asks that the tensor be detached first.",
     .causes = {"wte.weight.detach().cpu().numpy()."},
     .look = {"print(x.requires_grad)"}},
    {0}};
