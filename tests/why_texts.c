// SPDX-License-Identifier: GPL-3.0-or-later
#include "why_texts.h"

#include <stddef.h>

const why_text why_texts[] = {
    /* ---- broadcasting ---- */
    {"RuntimeError: The size of tensor a (5) must match the size of tensor b (4) at non-singleton "
     "dimension 1",
     "broadcasting:",
     "5: size of a, the left; 4: size of b, the right; 1: the axis, counted from 0"},
    {"Traceback (most recent call last):\n"
     "  File \"/home/user/model.py\", line 31, in forward\n"
     "    x = self.tok_emb(idx) + self.pos_emb\n"
     "        ~~~~~~~~~~~~~~~~~~^~~~~~~~~~~~~~\n"
     "RuntimeError: The size of tensor a (1030) must match the size of tensor b (1024) at "
     "non-singleton dimension 1\n",
     "broadcasting:",
     "1030: size of a; 1024: size of b, the right operand, on the same axis; 1: the"},
    {"RuntimeError: Attempting to broadcast a dimension of length 2 at -2! Mismatching argument at "
     "index 1 had torch.Size([2, 8]); but expected shape should be broadcastable to [5, 8]",
     "broadcasting:",
     "2: size of one; -2: the axis, counted from -1; 1: the operand; [2, 8]: its; [5, 8]: the "
     "shape"},
    {"RuntimeError: output with shape [5, 8] doesn't match the broadcast shape [2, 5, 8]",
     "an operation in place: a += b",
     "[5, 8]: shape of the tensor that; [2, 5, 8]: shape of the result"},
    {"RuntimeError: The expanded size of the tensor (600) must match the existing size (512) at "
     "non-singleton dimension 1.  Target sizes: [4, 600].  Tensor sizes: [1, 512]",
     "expand(), or an assignment",
     "600: the size that axis was to get; 512: the size it has; 1: the axis; [4, 600]: the target; "
     "[1, 512]: the tensor's"},
    {"RuntimeError: expand: attempting to expand a dimension of length 4 -> 5!",
     "expand(), or an assignment", "5: the size that axis was to; 4: the size it has"},
    {"RuntimeError: expand(torch.FloatTensor{[2, 5, 8]}, size=[5, 8]): the number of sizes "
     "provided "
     "(2) must be greater or equal to the number of dimensions in the tensor (3)",
     "expand(): fewer sizes", "2: sizes that were given; 3: axes that the tensor has"},
    {"RuntimeError: Number of dimensions of repeat dims can not be smaller than number of "
     "dimensions "
     "of tensor",
     "repeat(): fewer", ""},
    {"RuntimeError: Misaligned dims when attempting to broadcast dims ['T'] and dims ['T', None]: "
     "dim "
     "'T' appears in a different position from the right across both lists.",
     "named tensors: adding",
     "['T']: names of the left; ['T', None]: names of the right; T: the name that is in the way"},
    {"RuntimeError: Error when attempting to broadcast dims ['C', 'T'] and dims ['B', 'T', 'C']: "
     "dim "
     "'T' and dim 'C' are at the same position from the right but do not match.",
     "named tensors: adding",
     "['C', 'T']: names of the left; ['B', 'T', 'C']: names of the right; T: the name; C: the name "
     "it "
     "meets"},
    {"RuntimeError: aten::view is not yet supported with named tensors. Please drop names via "
     "`tensor "
     "= tensor.rename(None)`, call the op with an unnamed tensor, and set names on the result of "
     "the "
     "operation.",
     "named tensors: an operation", "aten::view: the operation"},

    /* ---- products ---- */
    {"RuntimeError: mat1 and mat2 shapes cannot be multiplied (10x8 and 50x8)", "a matrix product:",
     "10: rows of the left side; 8: its last axis; 50: rows of the right side, which has to equal "
     "the "
     "8; 8: columns of the right"},
    {"  File \"/opt/conda/lib/python3.10/site-packages/torch/nn/modules/linear.py\", line 114, in "
     "forward\n    return F.linear(input, self.weight, self.bias)\n"
     "RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x3 and 16x256)",
     "a matrix product:", "1: rows; 3: its last; 16: rows of the right; 256: columns"},
    {"RuntimeError: size mismatch, m1: [10 x 8], m2: [50 x 8] at "
     "/pytorch/aten/src/TH/generic/THTensorMath.cpp:41",
     "a matrix product:", "10: rows of; 8: its last; 50: rows of the right; 8: columns"},
    {"RuntimeError: mat1 dim 1 must match mat2 dim 0", "a matrix product:", ""},
    {"RuntimeError: a and b must have same reduction dim, but got [10, 8] X [50, 8].",
     "a matrix product:", "10: rows of; 8: its last; 50: rows of the right; 8: columns"},
    {"RuntimeError: size mismatch, got input (50), mat (50x8), vec (3)", "a matrix times a vector",
     "50: length of the result; 50: rows of the matrix; 8: its columns; 3: length of the vector"},
    {"RuntimeError: size mismatch, got 50, 50x8,3", "a matrix times a vector",
     "50: length of; 50: rows of; 8: its columns; 3: length of the vector"},
    {"RuntimeError: size mismatch, [50 x 8], [3] at "
     "/pytorch/aten/src/TH/generic/THTensorMath.cpp:196",
     "a matrix times a vector", "50: rows of; 8: its columns; 3: length of the vector"},
    {"RuntimeError: Expected size for first two dimensions of batch2 tensor to be: [2, 8] but got: "
     "[2, "
     "5].",
     "a batched matrix product",
     "[2, 8]: what b's shape must begin with; [2, 5]: what b's shape begins"},
    {"RuntimeError: Expected tensor to have size 8 at dimension 1, but got size 5 for argument #2 "
     "'batch2' (while checking arguments for bmm)",
     "a batched matrix product", "8: the size that was; 1: on this axis; 5: the size it has"},
    {"RuntimeError: batch1 and batch2 must have same number of batches, got 2 and 3",
     "a batched matrix product", "2: the size that was expected; 3: the size it has"},
    {"RuntimeError: invalid argument 6: wrong matrix size, batch1: 5x8, batch2: 5x8 at "
     "/pytorch/aten/src/THC/generic/THCTensorMathBlas.cu:488",
     "a batched matrix product", "[5, 8]: one matrix of a; [5, 8]: one matrix of b"},
    {"RuntimeError: self must be a matrix", "torch.mm, torch.bmm", "self: the operand"},
    {"RuntimeError: batch1 must be a 3D tensor", "torch.mm, torch.bmm", "batch1: the operand"},
    {"RuntimeError: matrices expected, got 3D, 2D tensors at "
     "/pytorch/aten/src/TH/generic/THTensorMath.cpp:36",
     "torch.mm, torch.bmm", "3: axes of the first; 2: axes of the second"},
    {"RuntimeError: 1D tensors expected, but got 2D and 2D tensors", "torch.mm, torch.bmm",
     "2: axes of the first; 2: axes of the second"},
    {"RuntimeError: both arguments to matmul need to be at least 1D, but they are 0D and 2D",
     "torch.mm, torch.bmm", "0: axes of the first; 2: axes of the second"},
    {"RuntimeError: inconsistent tensor size, expected tensor [3] and src [4] to have the same "
     "number "
     "of elements, but got 3 and 4 elements respectively",
     "torch.dot", "3: numbers in the left; 4: numbers in the right"},
    {"RuntimeError: einsum(): subscript c has size 50 for operand 1 which does not broadcast with "
     "previously seen size 8",
     "torch.einsum", "c: the letter; 50: the size it has here; 1: the operand; 8: the size it had"},
    {"RuntimeError: einsum(): the number of subscripts in the equation (2) does not match the "
     "number "
     "of dimensions (3) for operand 0 and no ellipsis was given",
     "torch.einsum", "0: the operand; 2: letters for; 3: axes that it has"},
    {"RuntimeError: CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasSgemm( handle, "
     "opa, opb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc)`",
     "cuBLAS", "EXECUTION_FAILED: what cuBLAS says"},

    /* ---- joining, lists ---- */
    {"RuntimeError: Sizes of tensors must match except in dimension 2. Expected size 2 but got "
     "size 1 "
     "for tensor number 1 in the list.",
     "torch.cat: joining",
     "2: the axis they are joined along; 2: size of the first tensor; 1: size of the other tensor; "
     "1: "
     "which tensor"},
    {"RuntimeError: torch.cat(): Sizes of tensors must match except in dimension 1. Got 5 and 4 in "
     "dimension 2 (The offending index is 1)",
     "torch.cat: joining",
     "1: the axis they; 5: size of the first; 4: size of the other; 2: that axis; 1: which tensor"},
    {"RuntimeError: invalid argument 0: Sizes of tensors must match except in dimension 2. Got 2 "
     "and 1 "
     "in dimension 0 at /pytorch/aten/src/TH/generic/THTensor.cpp:612",
     "torch.cat: joining",
     "2: the axis they; 2: size of the first; 1: size of the other; 0: that axis"},
    {"RuntimeError: Tensors must have same number of dimensions: got 3 and 2",
     "torch.cat: tensors with", "3: axes of the first; 2: axes of the other"},
    {"RuntimeError: torch.cat(): Tensors must have the same number of dimensions: got 3 and 2",
     "torch.cat: tensors with", "3: axes of the first; 2: axes of the other"},
    {"RuntimeError: zero-dimensional tensor (at position 0) cannot be concatenated",
     "torch.cat: a number", "0: its place"},
    {"RuntimeError: stack expects each tensor to be equal size, but got [3] at entry 0 and [4] at "
     "entry 1",
     "torch.stack",
     "[3]: shape of one; 0: its place; [4]: shape of the first that differs; 1: its"},
    {"RuntimeError: torch.cat(): expected a non-empty list of Tensors",
     "torch.cat or torch.stack: an", ""},
    {"ValueError: expected sequence of length 129 at dim 1 (got 128)", "torch.tensor: nested lists",
     "129: entries of the first row; 1: the level of nesting; 128: entries of a row"},
    {"ValueError: Unable to create tensor, you should probably activate truncation and/or padding "
     "with "
     "'padding=True' 'truncation=True' to have batched tensors with the same length. Perhaps your "
     "features (`input_ids` in this case) have excessive nesting (inputs type `list` where type "
     "`int` "
     "is expected).",
     "a tokenizer or a DataLoader", ""},
    {"RuntimeError: each element in list of batch should be of equal size",
     "a tokenizer or a DataLoader", ""},
    {"ValueError: too many dimensions 'str'", "torch.tensor: something", ""},
    {"RuntimeError: Could not infer dtype of NoneType", "torch.tensor: something",
     "NoneType: what was found"},
    {"TypeError: can't convert np.ndarray of type numpy.object_. The only supported types are: "
     "float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint8, and "
     "bool.",
     "torch.tensor: something", "numpy.object_: what was found"},
    {"ValueError: only one element tensors can be converted to Python scalars", "one number wanted",
     ""},
    {"RuntimeError: a Tensor with 2 elements cannot be converted to Scalar", "one number wanted",
     "2: elements that it has"},
    {"TypeError: only integer tensors of a single element can be converted to an index",
     "one number wanted", ""},

    /* ---- views ---- */
    {"RuntimeError: shape '[3, -1]' is invalid for input of size 80",
     "view() or reshape(): another", "[3, -1]: the shape; 80: elements the tensor has"},
    {"RuntimeError: invalid argument 2: size '[3 x -1]' is invalid for input with 80 elements at "
     "/pytorch/aten/src/TH/THStorage.cpp:80",
     "view() or reshape(): another", "[3, -1]: the shape; 80: elements"},
    {"ValueError: cannot reshape array of size 80 into shape (3,newaxis)",
     "view() or reshape(): another", "[3, -1]: the shape; 80: elements"},
    {"ValueError: cannot reshape array of size 80 into shape (3,-1)",
     "view() or reshape(): another", "[3, -1]: the shape; 80: elements"},
    {"RuntimeError: only one dimension can be inferred", "view() or reshape(): more than one", ""},
    {"RuntimeError: view size is not compatible with input tensor's size and stride (at least one "
     "dimension spans across two contiguous subspaces). Use .reshape(...) instead.",
     "view() of a tensor whose", ""},
    {"RuntimeError: invalid argument 2: view size is not compatible with input tensor's size and "
     "stride (at least one dimension spans across two contiguous subspaces). Call .contiguous() "
     "before .view(). at /pytorch/aten/src/TH/generic/THTensor.cpp:203",
     "view() of a tensor whose", ""},
    {"RuntimeError: invalid shape dimension -2", "view() or reshape(): a size below",
     "-2: the size that was given"},
    {"RuntimeError: cannot reshape tensor of 0 elements into shape [-1, 0] because the unspecified "
     "dimension size -1 can be any value and is ambiguous",
     "view() or reshape() of a tensor without", "[-1, 0]: the shape"},
    {"RuntimeError: split_with_sizes expects split_sizes to sum exactly to 768 (input tensor's "
     "size at "
     "dimension 2), but got split_sizes=[768, 768, 768]",
     "split or unflatten", "768: the size of the axis; 2: the axis; [768, 768, 768]: the parts"},
    {"RuntimeError: number of dims don't match in permute", "permute() or transpose()", ""},
    {"RuntimeError: permute(sparse_coo): number of dimensions in the tensor input does not match "
     "the "
     "length of the desired ordering of dimensions i.e. input.dim() = 3 is not equal to len(dims) "
     "= 4",
     "permute() or transpose()", "3: axes the tensor has; 4: axes that were named"},
    {"RuntimeError: t() expects a tensor with <= 2 dimensions, but self is 3D", ".t() or .T",
     "3: axes the tensor has"},
    {"UserWarning: The use of `x.T` on tensors of dimension other than 2 to reverse their shape is "
     "deprecated and it will throw an error in a future release.",
     ".t() or .T", ""},

    /* ---- axes and values ---- */
    {"IndexError: Dimension out of range (expected to be in range of [-4, 3], but got 4)",
     "dim=: an axis that", "4: the axis that was asked for; -4: the leftmost; 3: the rightmost"},
    {"RuntimeError: dimension out of range (expected to be in range of [-1, 0], but got 1)",
     "dim=: an axis that", "1: the axis that was asked for; -1: the leftmost; 0: the rightmost"},
    {"IndexError: Dimension specified as 0 but tensor has no dimensions", "dim=: a tensor that is",
     "0: the axis"},
    {"ValueError: expected 2D or 3D input (got 4D input)", "an operation over tokens or rows",
     "2: axes without a batch; 3: axes with a batch; 4: axes it got"},
    {"RuntimeError: Expected 2D (unbatched) or 3D (batched) input to conv1d, but got input of "
     "size: "
     "[2, 5, 1, 8]",
     "an operation over tokens or rows",
     "2: axes without; 3: axes with; conv1d: the layer; [2, 5, 1, 8]: the shape"},
    {"    B, T = idx.shape\nValueError: not enough values to unpack (expected 2, got 1)",
     "unpacking: fewer", "2: names on the left; 1: values on the right"},
    {"ValueError: need more than 1 value to unpack", "unpacking: fewer", "1: values on the right"},
    {"ValueError: too many values to unpack (expected 2)", "unpacking: more",
     "2: names on the left"},
    {"IndexError: tuple index out of range", "shape[i], or a tuple", ""},
    {"IndexError: list index out of range", "shape[i], or a tuple", ""},
    {"IndexError: too many indices for tensor of dimension 2", "indexing: more",
     "2: axes the tensor has"},
    {"IndexError: too many indices for array: array is 2-dimensional, but 3 were indexed",
     "indexing: more", "2: axes the tensor has; 3: indices that were given"},
    {"IndexError: invalid index of a 0-dim tensor. Use `tensor.item()` in Python or "
     "`tensor.item<T>()` in C++ to convert a 0-dim tensor to a number",
     "indexing, iterating or len()", ""},
    {"TypeError: iteration over a 0-d tensor", "indexing, iterating or len()", ""},
    {"RuntimeError: Boolean value of Tensor with more than one value is ambiguous",
     "the truth of a tensor", ""},
    {"RuntimeError: bool value of Tensor with more than one value is ambiguous",
     "the truth of a tensor", ""},
    {"ValueError: The truth value of an array with more than one element is ambiguous. Use a.any() "
     "or "
     "a.all()",
     "the truth of a tensor", ""},

    /* ---- ids ---- */
    {"  File \"/usr/local/lib/python3.10/dist-packages/torch/nn/functional.py\", line 2210, in "
     "embedding\n    return torch.embedding(weight, input, padding_idx, scale_grad_by_freq, "
     "sparse)\n"
     "IndexError: index out of range in self",
     "nn.Embedding, F.embedding or index_select", ""},
    {"RuntimeError: index out of range: Tried to access index 100 out of table with 99 rows. at "
     "/pytorch/aten/src/TH/generic/THTensorEvenMoreMath.cpp:418",
     "nn.Embedding, F.embedding or index_select", "100: the id that has no row; 99: the last row"},
    {"[ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Non-zero status code returned while running "
     "Gather "
     "node. Name:'Gather_23' Status Message: indices element out of data bounds, idx=50 must be "
     "within "
     "the inclusive range [-50,49]",
     "nn.Embedding, F.embedding or index_select",
     "50: the id; -50: the lowest index; 49: the highest"},
    {"/pytorch/aten/src/ATen/native/cuda/Indexing.cu:605: indexSelectSmallIndex: block: [0,0,0], "
     "thread: [1,0,0] Assertion `srcIndex < srcSelectDimSize` failed.",
     "the lookup on a GPU", ""},
    {"/pytorch/aten/src/ATen/native/cuda/IndexKernelUtils.cu:16: vectorized_gather_kernel: block: "
     "[0,0,0], thread: [0,0,0] Assertion `ind >=0 && ind < ind_dim_size && \"vectorized gather "
     "kernel "
     "index out of bounds\"` failed.",
     "the lookup on a GPU", ""},
    {"../aten/src/ATen/native/cuda/IndexKernel.cu:92: operator(): block: [0,0,0], thread: [3,0,0] "
     "Assertion `-sizes[i] <= index && index < sizes[i] && \"index out of bounds\"` failed.",
     "the lookup on a GPU", ""},
    {"../aten/src/ATen/native/cuda/ScatterGatherKernel.cu:144: operator(): block: [0,0,0], thread: "
     "[0,0,0] Assertion `idx_dim >= 0 && idx_dim < index_size && \"index out of bounds\"` failed.",
     "the lookup on a GPU", ""},
    {"RuntimeError: CUDA error: device-side assert triggered\nCUDA kernel errors might be "
     "asynchronously reported at some other API call, so the stacktrace below might be "
     "incorrect.\nFor "
     "debugging consider passing CUDA_LAUNCH_BLOCKING=1.",
     "a GPU (CUDA) has stopped", ""},
    {"RuntimeError: cuda runtime error (59) : device-side assert triggered at "
     "/pytorch/aten/src/THC/generic/THCTensorMath.cu:26",
     "a GPU (CUDA) has stopped", ""},
    {"RuntimeError: CUDA error: an illegal memory access was encountered",
     "a GPU (CUDA) has stopped", ""},
    {"IndexError: index 50 is out of bounds for dimension 0 with size 50", "indexing with [ ]",
     "50: the index that has no place; 0: the axis; 50: places on that axis: 49 is the last"},
    {"IndexError: index 50 is out of bounds for axis 0 with size 50", "indexing with [ ]",
     "50: the index; 0: the axis; 50: places on that axis"},
    {"RuntimeError: index 7 is out of bounds for dimension 1 with size 5", "indexing with [ ]",
     "7: the index; 1: the axis; 5: places on that axis: 4"},
    {"tensorflow.python.framework.errors_impl.InvalidArgumentError: indices[0,3] = 50 is not in "
     "[0, "
     "50)\n\t [[{{node embedding_1/embedding_lookup}}]]",
     "TensorFlow's lookup", "[0, 3]: where the id stands; 50: the id; 50: rows of the table"},
    {"RuntimeError: Expected tensor for argument #1 'indices' to have one of the following scalar "
     "types: Long, Int; but got torch.FloatTensor instead (while checking arguments for embedding)",
     "nn.Embedding or F.embedding: ids of a dtype",
     "1: the argument; torch.FloatTensor: what the ids"},
    {"RuntimeError: Expected tensor for argument #1 'indices' to have scalar type Long; but got "
     "torch.cuda.FloatTensor instead (while checking arguments for embedding)",
     "nn.Embedding or F.embedding: ids of a dtype",
     "1: the argument; torch.cuda.FloatTensor: what"},
    {"IndexError: tensors used as indices must be long, int, byte or bool tensors",
     "nn.Embedding or F.embedding: ids of a dtype", ""},
    {"RuntimeError: Expected object of scalar type Long but got scalar type Float for argument #3 "
     "'index' in call to _th_index_select",
     "nn.Embedding or F.embedding: ids of a dtype", "3: the argument; Float: what the ids are"},
    {"RuntimeError: Expected object of type torch.LongTensor but found type torch.FloatTensor for "
     "argument #3 'index'",
     "nn.Embedding or F.embedding: ids of a dtype",
     "3: the argument; torch.FloatTensor: what the ids"},
    {"TypeError: embedding(): argument 'indices' (position 2) must be Tensor, not list",
     "nn.Embedding or F.embedding: ids that are no tensor",
     "2: the argument, after the table; list: what was passed"},
    {"RuntimeError: Class values must be smaller than num_classes.", "F.one_hot: a class", ""},
    {"RuntimeError: Class values must be non-negative.", "F.one_hot: a class", ""},
    {"RuntimeError: one_hot is only applicable to index tensor.", "F.one_hot: ids of another", ""},
    {"RuntimeError: one_hot is only applicable to index tensor of type LongTensor.",
     "F.one_hot: ids of another", ""},
    {"RuntimeError: Can not infer total number of classes from empty tensor.",
     "F.one_hot: ids of another", ""},
    {"AssertionError: Padding_idx must be within num_embeddings", "nn.Embedding: a padding_idx",
     ""},

    /* ---- indexing ---- */
    {"IndexError: only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables "
     "are "
     "valid indices (got float)",
     "indexing with something that is no index", "float: what stood there"},
    {"IndexError: only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and "
     "integer or "
     "boolean arrays are valid indices",
     "indexing with something that is no index", ""},
    {"IndexError: arrays used as indices must be of integer (or boolean) type",
     "indexing with something that is no index", ""},
    {"TypeError: slice indices must be integers or None or have an __index__ method",
     "indexing with something that is no index", ""},
    {"ValueError: step must be greater than zero", "a slice with a step", ""},
    {"ValueError: negative step not yet supported", "a slice with a step", ""},
    {"ValueError: At least one stride in the given numpy array is negative, and tensors with "
     "negative "
     "strides are not currently supported. (You can probably work around this by making a copy of "
     "your "
     "array  with array.copy().)",
     "torch.from_numpy", ""},
    {"IndexError: The shape of the mask [2, 4] at index 1 does not match the shape of the indexed "
     "tensor [2, 5, 8] at index 1",
     "indexing with a mask",
     "[2, 4]: shape of the mask; 1: the axis where; [2, 5, 8]: shape of the"},
    {"IndexError: boolean index did not match indexed array along dimension 1; dimension is 5 but "
     "corresponding boolean dimension is 4",
     "indexing with a mask", "1: the axis where; 5: its size there; 4: the mask's size"},
    {"IndexError: boolean index did not match indexed array along axis 1; size of axis is 5 but "
     "size "
     "of corresponding boolean axis is 4",
     "indexing with a mask", "1: the axis where; 5: its size there; 4: the mask's size"},
    {"RuntimeError: shape mismatch: value tensor of shape [3] cannot be broadcast to indexing "
     "result "
     "of shape [2, 8]",
     "an assignment x[index]", "[3]: shape of the value; [2, 8]: shape of the places"},
    {"ValueError: could not broadcast input array from shape (3,) into shape (4,)",
     "an assignment x[index]", "[3]: shape of the value; [4]: shape of the places"},
    {"ValueError: shape mismatch: value array of shape (3,) could not be broadcast to indexing "
     "result "
     "of shape (2,8)",
     "an assignment x[index]", "[3]: shape of the value; [2, 8]: shape of the places"},
    {"IndexError: shape mismatch: indexing tensors could not be broadcast together with shapes "
     "[2], "
     "[3]",
     "indexing with several", "[2]: shape of the first; [3]: of the second"},
    {"RuntimeError: selected index k out of range", "topk or kthvalue", ""},
    {"RuntimeError: start (1020) + length (8) exceeds dimension size (1024).", "narrow or a slice",
     "1020: where it begins; 8: how long; 1024: size of the axis"},
    {"RuntimeError: Index tensor must have the same number of dimensions as input tensor",
     "gather or scatter", ""},
    {"RuntimeError: Size does not match at dimension 0 expected index [3, 5] to be smaller than "
     "self "
     "[2, 5] apart from dimension 1",
     "gather or scatter",
     "0: the axis where; [3, 5]: shape of the index; [2, 5]: shape of the tensor; 1: dim"},
    {"RuntimeError: masked_fill_ only supports boolean masks, but got mask with dtype long int",
     "masked_fill or where", "long: what the mask is"},
    {"RuntimeError: upper bound and larger bound inconsistent with step sign", "arange", ""},
    {"RuntimeError: Trying to create tensor with negative dimension -6: [2, -6]",
     "making a tensor: a size", "-6: the size that is negative; [2, -6]: the shape"},

    /* ---- dtypes ---- */
    {"RuntimeError: expected scalar type Long but found Float", "a matrix product: two operands",
     "Long: one dtype; Float: the other"},
    {"RuntimeError: expected m1 and m2 to have the same dtype, but got: float != c10::Half",
     "a matrix product: two operands", "float: one dtype; c10::Half: the other"},
    {"RuntimeError: expected mat1 and mat2 to have the same dtype, but got: long != float",
     "a matrix product: two operands", "long: one dtype; float: the other"},
    {"RuntimeError: mat1 and mat2 must have the same dtype, but got Float and Half",
     "a matrix product: two operands", "Float: one dtype; Half: the other"},
    {"RuntimeError: mat1 and mat2 must have the same dtype", "a matrix product: two operands", ""},
    {"RuntimeError: self and mat2 must have the same dtype, but got Long and Float",
     "a matrix product: two operands", "Long: one dtype; Float: the other"},
    {"RuntimeError: dot : expected both vectors to have same dtype, but found Float and Long",
     "a matrix product: two operands", "Float: one dtype; Long: the other"},
    {"RuntimeError: Expected object of scalar type Float but got scalar type Long for argument #2 "
     "'mat2' in call to _th_mm",
     "a matrix product: two operands", "Float: one dtype; Long: the other"},
    {"RuntimeError: Input type (torch.FloatTensor) and weight type (torch.cuda.FloatTensor) should "
     "be "
     "the same or input should be a MKLDNN tensor and weight is a dense tensor",
     "a layer: input and weights",
     "torch.FloatTensor: what goes in; torch.cuda.FloatTensor: what the"},
    {"RuntimeError: Expected object of scalar type Long but got scalar type Float for argument #2 "
     "'target' in call to _thnn_nll_loss_forward",
     "cross_entropy or nll_loss: targets", "Float: what they are"},
    {"RuntimeError: \"nll_loss_forward_reduce_cuda_kernel_2d_index\" not implemented for 'Float'",
     "cross_entropy or nll_loss: targets", "Float: what they are"},
    {"RuntimeError: \"addmm_impl_cpu_\" not implemented for 'Half'",
     "an operation that the CPU does not have", "addmm_impl_cpu_: the operation"},
    {"RuntimeError: \"LayerNormKernelImpl\" not implemented for 'Half'",
     "an operation that the CPU does not have", "LayerNormKernelImpl: the operation"},
    {"RuntimeError: \"softmax_lastdim_kernel_impl\" not implemented for 'Long'",
     "an operation on whole numbers", "softmax_lastdim_kernel_impl: the operation"},
    {"RuntimeError: \"addmm_cuda\" not implemented for 'Int'", "an operation on whole numbers",
     "addmm_cuda: the operation"},
    {"NotImplementedError: \"eig\" not implemented for 'ComplexHalf'",
     "an operation that is not there for this dtype", "eig: the operation; ComplexHalf: the dtype"},
    {"RuntimeError: mean(): could not infer output dtype. Input dtype must be either a floating "
     "point "
     "or complex dtype. Got: Long",
     "mean, std, var, norm", "Long: what the tensor is"},
    {"RuntimeError: Can only calculate the mean of floating types. Got Long instead.",
     "mean, std, var, norm", "Long: what the tensor is"},
    {"RuntimeError: mean(): input dtype should be either floating point or complex dtypes. Got "
     "Long "
     "instead.",
     "mean, std, var, norm", "Long: what the tensor is"},
    {"RuntimeError: std and var only support floating point and complex dtypes",
     "mean, std, var, norm", ""},
    {"RuntimeError: linalg.vector_norm: Expected a floating point or complex tensor as input. Got "
     "Long",
     "mean, std, var, norm", "Long: what the tensor is"},
    {"RuntimeError: cdist only supports floating-point dtypes, X1 got: Long",
     "mean, std, var, norm", "Long: what the tensor is"},
    {"RuntimeError: result type Float can't be cast to the desired output type Long",
     "an operation in place, or out=", "Float: dtype of the result; Long: dtype of the tensor"},
    {"numpy.core._exceptions._UFuncOutputCastingError: Cannot cast ufunc 'add' output from "
     "dtype('float64') to dtype('int64') with casting rule 'same_kind'",
     "an operation in place, or out=", "float64: dtype of the result; int64: dtype of the tensor"},
    {"RuntimeError: Index put requires the source and destination dtypes match, got Float for the "
     "destination and Double for the source.",
     "an operation in place, or out=", "Double: dtype of the result; Float: dtype of the tensor"},
    {"RuntimeError: Only Tensors of floating point and complex dtype can require gradients",
     "requires_grad", ""},
    {"RuntimeError: value cannot be converted to type at::Half without overflow",
     "masked_fill, full or a comparison", "at::Half: the dtype"},

    /* ---- devices and memory ---- */
    {"RuntimeError: Expected all tensors to be on the same device, but found at least two devices, "
     "cuda:0 and cpu! (when checking argument for argument index in method "
     "wrapper_CUDA__index_select)",
     "any operation on tensors of two devices",
     "cuda:0: where one of them is; cpu: where the other is; index: the operand; "
     "wrapper_CUDA__index_select: the operation"},
    {"RuntimeError: Expected all tensors to be on the same device, but found at least two devices, "
     "cpu "
     "and cuda:0! (when checking argument for argument mat1 in method wrapper_addmm)",
     "any operation on tensors of two devices",
     "cpu: where one; cuda:0: where the other; mat1: the operand; wrapper_addmm: the operation"},
    {"RuntimeError: Expected all tensors to be on the same device, but found at least two devices, "
     "cuda:0 and cpu!",
     "any operation on tensors of two devices", "cuda:0: where one; cpu: where the other"},
    {"RuntimeError: Expected all tensors to be on the same device, but got index is on cuda:0, "
     "different from other tensors on cpu (when checking argument in method "
     "wrapper_CUDA__index_select)",
     "any operation on tensors of two devices",
     "cuda:0: where one of them is; cpu: where the other; index: the operand; "
     "wrapper_CUDA__index_select: the operation"},
    {"RuntimeError: Tensor for argument #2 'mat1' is on CPU, but expected it to be on GPU (while "
     "checking arguments for addmm)",
     "any operation on tensors of two devices",
     "CPU: where one; GPU: where the other; mat1: the operand; addmm: the operation; 2: the "
     "operand's"},
    {"RuntimeError: Expected object of device type cuda but got device type cpu for argument #3 "
     "'index' in call to _th_index_select",
     "any operation on tensors of two devices",
     "cpu: where one; cuda: where the other; index: the operand; _th_index_select: the operation; "
     "3: "
     "the"},
    {"RuntimeError: Expected object of backend CPU but got backend CUDA for argument #3 'index'",
     "any operation on tensors of two devices",
     "CUDA: where; CPU: where; index: the operand; 3: the"},
    {"RuntimeError: Expected object of type torch.cuda.LongTensor but found type torch.LongTensor "
     "for "
     "argument #3 'index'",
     "nn.Embedding or index_select: table and ids", ""},
    {"RuntimeError: Input, output and indices must be on the current device",
     "nn.Embedding or index_select: table and ids", ""},
    {"RuntimeError: indices should be either on cpu or on the same device as the indexed tensor "
     "(cpu)",
     "nn.Embedding or index_select: table and ids", "cpu: where the table is"},
    {"RuntimeError: Placeholder storage has not been allocated on MPS device!",
     "nn.Embedding or index_select: table and ids", ""},
    {"TypeError: can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the "
     "tensor "
     "to host memory first.",
     ".numpy() of a tensor on a GPU", "cuda:0: where the tensor is"},
    {"AssertionError: Torch not compiled with CUDA enabled", "a GPU is asked for", ""},
    {"RuntimeError: Attempting to deserialize object on a CUDA device but "
     "torch.cuda.is_available() is "
     "False. If you are running on a CPU-only machine, please use torch.load with "
     "map_location=torch.device('cpu') to map your storages to the CPU.",
     "a GPU is asked for", ""},
    {"RuntimeError: Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, "
     "fpga, "
     "ort, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at start of device "
     "string: gpu",
     "a GPU is asked for", "gpu: the device"},
    {"torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 15.78 "
     "GiB "
     "total capacity; 14.32 GiB already allocated; 1.02 GiB free; 14.51 GiB reserved in total by "
     "PyTorch) If reserved memory is >> allocated memory try setting max_split_size_mb to avoid "
     "fragmentation.",
     "memory", "2.00 GiB: what this one tensor wanted"},
    {"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total "
     "capacity of 79.15 GiB of which 1.19 MiB is free.",
     "memory", "20.00 MiB: what this one tensor wanted"},
    {"RuntimeError: [enforce fail at alloc_cpu.cpp:75] err == 0. DefaultCPUAllocator: can't "
     "allocate "
     "memory: you tried to allocate 38597376000 bytes. Error code 12 (Cannot allocate memory)",
     "memory", "38597376000: bytes this one tensor wanted"},
    {"numpy.core._exceptions._ArrayMemoryError: Unable to allocate 7.45 GiB for an array with "
     "shape "
     "(100000, 10000) and data type float64",
     "memory", "7.45 GiB: what this; [100000, 10000]: its shape; float64: its dtype"},

    /* ---- Python ---- */
    {"TypeError: linear(): argument 'input' (position 1) must be Tensor, not tuple",
     "a function of PyTorch: an argument",
     "linear(): the function; input: its argument; 1: its argument; Tensor: what it; tuple: what "
     "it "
     "was"},
    {"TypeError: cat(): argument 'tensors' (position 1) must be tuple of Tensors, not Tensor",
     "a function of PyTorch: an argument",
     "cat(): the function; tensors: its argument; 1: its argument; tuple of Tensors: what it "
     "takes; "
     "Tensor: what it was given"},
    {"TypeError: zeros(): argument 'size' (position 1) must be tuple of ints, but found element of "
     "type float at pos 2",
     "a function of PyTorch: an argument",
     "zeros(): the; size: its; 1: its; float: what it was given; 2: which of the sizes"},
    {"TypeError: zeros() received an invalid combination of arguments - got (float, int), but "
     "expected "
     "one of:\n * (tuple of ints size, *, tuple of names names, torch.dtype dtype)",
     "a function of PyTorch: an argument", "zeros(): the function; float, int: what it was given"},
    {"TypeError: unsupported operand type(s) for +: 'Tensor' and 'NoneType'", "an operator between",
     "+: the operator; Tensor: type of the left; NoneType: type of the right"},
    {"AttributeError: 'list' object has no attribute 'size'", "an attribute or method",
     "list: the type; size: the name behind it"},
    {"TypeError: 'torch.Size' object is not callable", "calling or indexing",
     "torch.Size: its type"},
    {"TypeError: 'builtin_function_or_method' object is not subscriptable", "calling or indexing",
     "builtin_function_or_method: its type"},
    {"ValueError: Sequence length (17) exceeds maximum context window (16)", "the guard",
     "17: tokens of the text; 16: rows of the position table"},
    {"AssertionError: Cannot forward sequence of length 1030, block size is only 1024", "the guard",
     "1030: tokens of the text; 1024: rows of the position table"},
    {"openai.BadRequestError: Error code: 400 - {'error': {'message': \"This model's maximum "
     "context "
     "length is 4097 tokens. However, your messages resulted in 4100 tokens.\"}}",
     "the guard", "4097: rows of the position table"},
    {"Token indices sequence length is longer than the specified maximum sequence length for this "
     "model (1030 > 1024). Running this sequence through the model will result in indexing errors",
     "a tokenizer's warning", "1030: tokens of the text; 1024: places the model has"},
    {"einops.EinopsError:  Error while processing rearrange-reduction pattern \"(y v) d -> y v "
     "d\".\n "
     "Input tensor shape: torch.Size([25600, 128]). Additional info: {'y': 232}.\n Shape mismatch, "
     "can't divide axis of length 25600 in chunks of 232",
     "einops", "25600: length of the axis; 232: what it was to be divided by"},

    /* ---- NumPy ---- */
    {"ValueError: operands could not be broadcast together with shapes (2,5,8) (2,5) ",
     "NumPy broadcasting",
     "[2, 5, 8]: shape of the left; 8: its last; [2, 5]: shape of the right; 5: its"},
    {"ValueError: shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is "
     "between "
     "arg 0 with shape (2,) and arg 1 with shape (3,).",
     "NumPy broadcasting",
     "[2]: shape of the left; 2: its last; [3]: shape of the right; 3: its last"},
    {"ValueError: non-broadcastable output operand with shape (5,8) doesn't match the broadcast "
     "shape "
     "(2,5,8)",
     "NumPy in place", "[5, 8]: shape of the array; [2, 5, 8]: shape of the result"},
    {"ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
     "signature (n?,k),(k,m?)->(n?,m?) (size 50 is different from 8)",
     "NumPy's matmul",
     "1: the operand with the mismatch; 0: its axis; 50: the size it has; 8: the size it should "
     "have"},
    {"ValueError: shapes (2,5,8) and (50,8) not aligned: 8 (dim 2) != 50 (dim 0)", "NumPy's dot",
     "[2, 5, 8]: shape of the left; [50, 8]: shape of the right; 8: the left one's last axis; 2: "
     "which "
     "is; 50: the right one's axis; 0: which is its axis number 0"},
    {"ValueError: all the input array dimensions except for the concatenation axis must match "
     "exactly, "
     "but along dimension 0, the array at index 0 has size 2 and the array at index 1 has size 1",
     "NumPy's concatenate",
     "0: the axis where they differ; 0: one array; 2: its size; 1: another array; 1: its size"},
    {"ValueError: all the input arrays must have same number of dimensions, but the array at index "
     "0 "
     "has 3 dimension(s) and the array at index 1 has 2 dimension(s)",
     "NumPy's concatenate", "0: one array; 3: its axes; 1: another array; 2: its axes"},
    {"ValueError: all input arrays must have the same shape", "NumPy's concatenate", ""},
    {"numpy.AxisError: axis 3 is out of bounds for array of dimension 3",
     "NumPy: axis=", "3: the axis; 3: axes the array has"},
    {"ValueError: setting an array element with a sequence. The requested array has an "
     "inhomogeneous "
     "shape after 1 dimensions. The detected shape was (2,) + inhomogeneous part.",
     "NumPy: nested lists", "1: levels of nesting; [2]: the shape as far"},
    {"ValueError: setting an array element with a sequence.", "NumPy: nested lists", ""},

    /* ---- layers ---- */
    {"RuntimeError: Error(s) in loading state_dict for GPT:\n\tsize mismatch for "
     "transformer.wte.weight: copying a param with shape torch.Size([50257, 768]) from checkpoint, "
     "the "
     "shape in current model is torch.Size([50304, 768]).",
     "load_state_dict: a table",
     "transformer.wte.weight: the table; 50257: its rows in the file; 768: its columns in the "
     "file; "
     "50304: rows in the model; 768: columns in the model"},
    {"RuntimeError: Error(s) in loading state_dict for GPT:\n\tMissing key(s) in state_dict: "
     "\"transformer.wte.weight\", \"transformer.wpe.weight\".",
     "load_state_dict: names", "transformer.wte.weight: the first name"},
    {"RuntimeError: Given normalized_shape=[768], expected input with shape [*, 768], but got "
     "input of "
     "size[2, 5, 64]",
     "nn.LayerNorm",
     "768: numbers a vector has for; 64: numbers a vector has here; [2, 5, 64]: shape"},
    {"RuntimeError: running_mean should contain 5 elements not 8", "nn.BatchNorm",
     "5: what stands in axis 1; 8: channels"},
    {"RuntimeError: Given groups=1, weight of size [64, 8, 3], expected input[2, 5, 8] to have 8 "
     "channels, but got 5 channels instead",
     "nn.BatchNorm",
     "5: what stands in axis 1; 8: channels the layer; [2, 5, 8]: shape of what; [64, 8, 3]: shape "
     "of "
     "the weights; 1: groups"},
    {"ValueError: Expected input batch_size (10) to match target batch_size (2).",
     "cross_entropy: logits and targets", "10: rows of logits; 2: targets"},
    {"RuntimeError: Expected target size [2, 50], got [2, 5]", "cross_entropy: logits and targets",
     "[2, 50]: the shape the targets; [2, 5]: the shape they have"},
    {"IndexError: Target 50 is out of bounds.", "cross_entropy: a target", "50: the target"},
    {"/pytorch/aten/src/ATen/native/cuda/Loss.cu:250: nll_loss_forward_reduce_cuda_kernel_2d: "
     "block: "
     "[0,0,0], thread: [4,0,0] Assertion `t >= 0 && t < n_classes` failed.",
     "cross_entropy: a target", ""},
    {"UserWarning: Using a target size (torch.Size([5])) that is different to the input size "
     "(torch.Size([5, 1])). This will likely lead to incorrect results due to broadcasting.",
     "mse_loss", "[5]: shape of the target; [5, 1]: of the input"},
    {"AssertionError: embed_dim must be divisible by num_heads", "attention", ""},
    {"RuntimeError: The shape of the 2D attn_mask is torch.Size([1024, 1024]), but should be (5, "
     "5).",
     "attention", "[1024, 1024]: shape of the mask; [5, 5]: the shape it should have"},
    {"RuntimeError: X1 and X2 must have the same number of columns. X1: 8 X2: 50", "cdist",
     "8: numbers in a vector; 50: of the second"},
    {"RuntimeError: probability tensor contains either `inf`, `nan` or element < 0", "multinomial",
     ""},

    /* ---- gradients ---- */
    {"RuntimeError: a leaf Variable that requires grad is being used in an in-place operation.",
     "an operation in place on a table", ""},
    {"RuntimeError: a view of a leaf Variable that requires grad is being used in an in-place "
     "operation.",
     "an operation in place on a table", ""},
    {"RuntimeError: unsupported operation: more than one element of the written-to tensor refers "
     "to a "
     "single memory location. Please clone() the tensor before performing the operation.",
     "an operation in place on a tensor whose", ""},
    {"RuntimeError: unsupported operation: some elements of the input tensor and the written-to "
     "tensor "
     "refer to a single memory location. Please clone() the tensor before performing the "
     "operation.",
     "an operation in place on a tensor whose", ""},
    {"RuntimeError: one of the variables needed for gradient computation has been modified by an "
     "inplace operation: [torch.FloatTensor [2, 5, 8]], which is output 0 of EmbeddingBackward0, "
     "is at "
     "version 1; expected version 0 instead.",
     "backward: a tensor that was needed", ""},
    {"RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn",
     "backward: nothing", "0: which of the tensors"},
    {"RuntimeError: grad can be implicitly created only for scalar outputs", "backward: nothing",
     ""},
    {"RuntimeError: Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() "
     "instead.",
     ".numpy() of a tensor that learns", ""},

    /* ---- single functions ---- */
    {"RuntimeError: chunk expects `chunks` to be greater than 0, got: 0",
     "an argument that is out of", "0: the value it was given"},
    {"RuntimeError: n must be non-negative, got -3", "an argument that is out of",
     "-3: the value it"},
    {"RuntimeError: num_classes should be positive", "an argument that is out of", ""},
    {"RuntimeError: random_ expects 'from' to be less than 'to', but got from=5 >= to=5",
     "an argument that is out of", "5: the value it was; 5: the value beside"},
    {"RuntimeError: tril: input tensor must have at least 2 dimensions",
     "a function that wants another number of axes", "tril: the function; 2: axes it wants"},
    {"RuntimeError: cdist only supports at least 2D tensors, X1 got: 1D",
     "a function that wants another number of axes", "2: axes it wants; 1: axes it was given"},
    {"RuntimeError: outer: Expected 1-D argument self, but got 2-D",
     "a function that wants another number of axes",
     "outer: the function; 1: axes it wants; self: the argument; 2: axes it was given"},
    {"RuntimeError: dim 1 appears multiple times in the list of dims", "dim=: axes that were named",
     "1: what was given"},
    {"IndexError: max(): Expected reduction dim 0 to have non-zero size.", "max, min, argmax",
     "0: the axis without"},
    {"ValueError: zero-size array to reduction operation maximum which has no identity",
     "max, min, argmax", "maximum: the function"},
    {"RuntimeError: Subtraction, the `-` operator, with a bool tensor is not supported. If you are "
     "trying to invert a mask, use the `~` or `logical_not()` operator instead.",
     "arithmetic that true and false", ""},
    {"TypeError: ~ (operator.invert) is only implemented on integer and Boolean-type tensors",
     "arithmetic that true and false", ""},
    {"RuntimeError: Integers to negative integer powers are not allowed.",
     "arithmetic that true and false", ""},
    {"RuntimeError: 'weight' must be 2-D", "nn.Embedding or F.embedding: a table", ""},
    {"AssertionError: Embeddings parameter is expected to be 2-dimensional",
     "nn.Embedding or F.embedding: a table", ""},
    {"RuntimeError: Number of names (3) and number of dimensions in tensor (2) do not match.",
     "named tensors: names", "3: names that were given; 2: axes"},
    {"RuntimeError: The expanded size of the tensor (-1) isn't allowed in a leading, non-existing "
     "dimension 0",
     "expand(): -1", "0: the axis"},
    {"RuntimeError: unflatten: Provided sizes [12, 65] don't multiply up to the size of dim 2 "
     "(768) in "
     "the input tensor",
     "split or unflatten", "768: the size of the axis; 2: the axis; [12, 65]: the parts"},
    {"RuntimeError: Expected weight to be of same shape as normalized_shape, but got weight of "
     "shape "
     "[8] and normalized_shape = [6]",
     "nn.LayerNorm", "6: numbers a vector has for; 8: numbers a vector has here; [8]: shape"},
    {"IndexError: select(): index 5 out of range for tensor of size [2, 5, 8] at dimension 1",
     "indexing with [ ]", "5: the index; 1: the axis; [2, 5, 8]: shape of the tensor"},
    {"TypeError: __init__() missing 1 required positional argument: 'embedding_dim'",
     "calling a function",
     "__init__(): the function; 1: arguments that; embedding_dim: the argument"},
    {"TypeError: Embedding.__init__() missing 2 required positional arguments: 'num_embeddings' "
     "and "
     "'embedding_dim'",
     "calling a function",
     "Embedding.__init__(): the function; 2: arguments that; num_embeddings: the argument"},
    {"TypeError: forward() takes 2 positional arguments but 3 were given", "calling a function",
     "forward(): the function; 2: arguments it takes; 3: arguments it was given"},
    {"TypeError: forward() got an unexpected keyword argument 'labels'", "calling a function",
     "forward(): the function; labels: the argument"},
    {"NameError: name 'torch' is not defined", "a name that stands", "torch: the name"},
    {"AttributeError: module 'torch.nn' has no attribute 'Embeding'", "a name that stands",
     "Embeding: the name; torch.nn: where it"},
    {"TypeError: 'float' object cannot be interpreted as an integer",
     "a function of PyTorch: an argument", "float: what it was given"},
    {"TypeError: '<' not supported between instances of 'Tensor' and 'str'", "an operator between",
     "<: the operator; Tensor: type of the left; str: type of the right"},
    {NULL, NULL, NULL}};
