// SPDX-License-Identifier: GPL-3.0-or-later
/* Error texts about devices and memory. */
#include "expr/why_table.h"

const es_why_topic es_why_devices[] = {
    {.operation = "any operation on tensors of two devices",
     .wordings =
         {"Expected all tensors to be on the same device, but found at least two devices, "
          "~{w0} and {w1}! (when checking argument for argument {w2} in method {w3})",
          "Expected all tensors to be on the same device, but got {w2} is on {w0}, different "
          "from other tensors on ~{w1} (when checking argument in method {w3})",
          "Tensor for argument #{n4} {w2} is on {w0}, but expected it to be on ~{w1} (while "
          "checking arguments for {w3})",
          "Expected object of device type {w1} but got device type {w0} for argument #{n4} "
          "~{w2} in call to {w3}",
          "Expected object of backend {w1} but got backend {w0} for argument #{n4} ~{w2}",
          "Tensor for {w2} is on {w0}, ~Tensor for argument",
          "All input tensors must be on the same device. Received ~{w0} and {w1}",
          "Expected all tensors to be on the same device"},
     .says = "A tensor on the CPU and one on a GPU cannot be combined; PyTorch does not move them.",
     .numbers =
         {{"{0}", ES_WHY_DEVICE, "where one of them is"},
          {"{1}", ES_WHY_DEVICE, "where the other is, or should be"},
          {"{2}", ES_WHY_PLAIN,
           "the operand that was looked at, by PyTorch's inner name: index or indices are the "
           "ids of a lookup, mat1 and mat2 the sides of a product"},
          {"{3}", ES_WHY_PLAIN,
           "the operation by its inner name: index_select is the lookup in nn.Embedding, "
           "addmm an nn.Linear"},
          {"{4}", ES_WHY_PLAIN, "the operand's number in PyTorch's C++"}},
     .causes = {"Positions made on the CPU: torch.arange(T) must be torch.arange(T, "
                "device=ids.device).",
                "The batch was not moved: ids = ids.to(device). to() gives a new tensor, it does "
                "not move the old one.",
                "The model was not moved: model.to(device), before the optimizer is made.",
                "A tensor kept in a list or as a plain attribute: register_buffer makes it follow "
                "model.to()."},
     .look = {"print(ids.device, wte.weight.device, positions.device)"},
     .try = "wte(torch.tensor([1, 2]).to(\"cuda\"))"},
    {.operation = "nn.Embedding or index_select: table and ids on two devices",
     .wordings = {"Input, output and indices must be on the current device",
                  "indices should be either on cpu or on the same device as the indexed tensor ~"
                  "({w0})",
                  "Expected object of type torch.cuda.LongTensor but found type torch.LongTensor",
                  "Placeholder storage has not been allocated on MPS device"},
     .says = "The ids, or the table, are on another device than the other.",
     .numbers = {{"{0}", ES_WHY_DEVICE, "where the table is"}},
     .causes = {"ids.to(wte.weight.device) before the lookup.",
                "Positions: torch.arange(T, device=ids.device).",
                "The model was not moved, or a table was made after model.to(device)."},
     .look = {"print(ids.device, wte.weight.device)"},
     .try = "wte(torch.tensor([1, 2]).to(\"cuda\"))"},
    {.operation = ".numpy() of a tensor on a GPU",
     .wordings = {"can't convert {w0} device type tensor to numpy",
                  "can't convert CUDA tensor to numpy"},
     .says = "NumPy sees the computer's own memory only.",
     .numbers = {{"{0}", ES_WHY_DEVICE, "where the tensor is"}},
     .causes = {"x.detach().cpu().numpy().", "plt.plot(x), np.array(x) do it without saying so."},
     .look = {"print(x.device)"}},
    {.operation = "a GPU is asked for and there is none to use",
     .wordings = {"Torch not compiled with CUDA enabled", "Found no NVIDIA driver on your system",
                  "No CUDA GPUs are available", "Attempting to deserialize object on a CUDA device",
                  "CUDA error: invalid device ordinal",
                  "device type at start of device string: ~{w0}", "Invalid device string: ~{w0}"},
     .says = "PyTorch has no GPU of that name here.",
     .numbers = {{"{0}", ES_WHY_DEVICE, "the device that was asked for"}},
     .causes = {"device = \"cuda\" if torch.cuda.is_available() else \"cpu\".",
                "A file saved on a GPU: torch.load(path, map_location=\"cpu\").",
                "The build of PyTorch has no CUDA: another one must be installed.",
                "The name is \"cuda\" or \"cuda:0\", not \"gpu\"."},
     .look = {"torch.cuda.is_available(), torch.cuda.device_count(), torch.__version__"}},
    {.operation = "memory: more was asked for than is left",
     .wordings = {"out of memory. Tried to allocate ~{f0} {w1}",
                  "can't allocate memory: you tried to allocate ~{n2} bytes",
                  "not enough memory: you tried to allocate ~{n2} bytes",
                  "Unable to allocate {f0} {w1} for an array with shape ~{s3} and data type {w4}",
                  "CUDA out of memory", "CUDA error: out of memory", "CUDNN_STATUS_ALLOC_FAILED",
                  "MPS backend out of memory"},
     .says = "The sizes multiply to more than fits beside what is there already.",
     .numbers = {{"{0} {1}", ES_WHY_PLAIN,
                  "what this one tensor wanted, in addition to all that is held already"},
                 {"{2}", ES_WHY_PLAIN,
                  "bytes this one tensor wanted: its sizes multiplied, times 4 "
                  "for float32"},
                 {"{3}", ES_WHY_PLAIN, "its shape"},
                 {"{4}", ES_WHY_DTYPE, "its dtype"}},
     .causes = {"Logits are (B, T, V): with V of 50257 they, not the embeddings, are the largest "
                "tensor. Fewer sentences, or shorter ones.",
                "one_hot(ids, V) is V times the ids: look rows up instead.",
                "Attention keeps (B, heads, T, T): twice the T is four times the memory.",
                "Gradients are kept where none are wanted: with torch.no_grad():. And "
                "total += loss keeps every step: loss.item().",
                "Broadcasting made (N, N) of (N, 1) and (N)."},
     .look = {"print(x.shape, x.numel() * x.element_size())", "torch.cuda.memory_summary()"},
     .try = "torch.zeros(100000, 100000, 100)"},
    {0}};
