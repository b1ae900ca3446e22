"""What torch, NumPy and others say, once more in the words of the course, as a table.

A row is a pattern of the message, in which `SIZE` stands for a size; a clause that follows the
headers of the tensors that it is about, with what the pattern's groups found, the `name` of the
operation, and `who` did it; and perhaps forms of ways out. After `!` the clause says all alone,
after `~` where no tensor is known; after `=` it is about what is written to. A row for some
operations begins with their names: `@cat,stack`. A pattern goes on after `|`.
"""

import ast
import re

from stridekit.own_code.operations import Operand, Operation
from stridekit.own_code.verdicts import SIZE, Grounds, RuleBook, Said, numbers

RULES = RuleBook()
_WORDING = r"""
parameter named "([\w.]+)"[\s\S]*more than one element of the written-to tensor
  ! {1} of the model is written to, and several of its elements are one in memory: clone() gives
  each its own.
more than one element of the written-to tensor
  = It is written to, and several of its elements are one in memory, as all are along a stride of 0:
  that cannot take several values.
  -> own
is read-only
  = It cannot be written to: its flag writeable is off. So it is where elements share memory, and
  where its owner lends it for reading.
  -> own
returns multiple views
  = It is one of several views that one call gave of one memory: autograd cannot follow what is
  written to one of them.
  -> out of place
modified by an inplace operation: \[torch\.\w+ (\[.*?\])\].* version (\d+); expected version (\d+)
  ! A tensor of size {1} was kept for the backward pass as it was, at version {3}, and has been
  written to since: it is at version {2}. Out of place a new one is made; optimizers work in place.
@backward,grad,?grad grad can be implicitly created
  Backward starts from one element, such as mean() makes of more, or with a gradient for each.
returned an invalid gradient at index (\d+) - got (SIZE) but expected shape compatible with (SIZE)
  ! A gradient has the size of what it is of. At index {1} backward gave one of size {2}, and what
  forward was given there has size {3}.
a leaf Variable that requires grad is being used in an in-place
  = It is changed in place, and it is a leaf that requires grad, or lies in one: autograd starts
  from it as it is. Under torch.no_grad() it may be changed.
result type (\w+) can't be cast to the desired
|Cannot cast ufunc '\w+' output from dtype\('(\w+)
  = Its memory keeps its dtype, and the result is {1}{2}, which says more than that can hold.
  -> out of place
@unpack values to unpack \(expected(?: at least)? (\d+)
  Its size has a number for each dim, and there are {1} names.
@unpack[] values to unpack \(expected(?: at least)? (\d+)
  What is unpacked gives one after another, a tensor what it has along dim 0: there are {1} names.
@shape[] tuple index out of range
  Its size has a number for each dim, counted from 0, or from -1 at the end: there is none there.
integer, got '\d|slice indices must|ints?, ?(?:not|but) .*float|'\S*float\d*' object cannot
|(?:got|of) \((?:int, )*(?:numpy\.)?float[\s\S]*\(tuple of ints
|got \(\w+, \w+, (?:steps=)?float[\s\S]*\(Tensor start|with types \[.*'float'
|tuple of ints[^*]*!(?:list|tuple) of \[(?:int, )*float
  Sizes and places are whole numbers, and one here is a float: n // 2 is whole where n / 2 is not.
@zeros,ones,empty,new_zeros,new_ones,new_empty takes 1 positional argument but
  A size is whole numbers, or one tuple of them: n // 2 is whole where n / 2 is a float.
index (-?\d+) is out of bounds for \w+ \d+ with size (\d+)|of DATA bounds, id=(-?\d+) axis_dim=(\d+)
|access index (-?\d+) on a tensor of (\d+)
  ~ Indices are counted from 0, or from -1 at the end: there is no {1}{3}{5} where the size is
  {2}{4}{6}.
np\.ndarray of type numpy\.(\w+?)_?\.
  ! Its dtype is {1}, which is none of torch's.
@frombuffer,?ndarray,?cast,?memmap buffer size must be|buffer is smaller
|buffer is too small|buffer length|mmap length
  ! A buffer is read as whole elements, and it has to hold as many as are asked for.
@einsum remapped shapes
  A letter stands for one size, in all that are multiplied.
@einsum too many subscripts|more dimensions than
  There is a letter for each dim.
@cat,concatenate,append,scatter,scatter_add,scatter_reduce range of \[|^axis .* out of bounds
  {name} goes along a dim that all of them have.
@transpose transpose\(\)(?: takes| received|: argument 'dim0')
  transpose exchanges two dims; permute names them all.
  -> {first}.permute({rest})
@unsqueeze,expand_dims,stack range of \[-(\d+), \d+\], but got (-?\d+)|axis (-?\d+) is .* \w+ (\d+)
  ~ What {name} gives has {1}{4} dims, counted from 0, or from the right from -1: none is {2}{3}.
Dimension out of.* \[-(\d+), \d+\], but got (-?\d+)|axis (-?\d+) is out .* array of \w+ (\d+)
  ~ Dims are counted from 0, or from the right from -1: there is no dim {2}{3} in {1}{4} dims.
shape of the mask|boolean index did not match
  A mask has a value for each element of the dims that it picks from.
  -> other dims
does not result in an equal division
  It does not divide into so many equal pieces along that dim. array_split makes unequal ones.
Provided sizes (\[.*?\]) don't multiply up to the size of dim (\d+) \((\d+)\)
  The sizes {1} do not multiply to {3}, the size of dim {2}.
must have a (?:last dimension with stride 1|stride divisible|storage_offset divisible)
  The two parts of a complex number lie side by side: the last stride is 1, all others are even.
  -> {}.contiguous()
rank (\d) tensor to use (\w+) format
  {2} is an order of {1} dims, (N, C, H, W) or (N, C, D, H, W), with the channels closest together.
  -> {}.unsqueeze(0)
cannot resize variables that require grad
  It requires grad, and a resize would change its elements behind autograd's back.
cannot resize (?:this array: it does not own|an array that references)|only works on single-segment
  The memory under it may not be given up: it is another array's, or others hold it, such as a view.
batch\d must be a 3D
  bmm takes 3 and 3 dims, as many matrices in each; matmul takes others.
@dot 1D tensors expected
  dot takes 1 and 1 dims; matmul takes others.
  -> torch.dot({0}.squeeze(), {1}.squeeze())
  -> torch.matmul({first}, {rest})
must be a (?:matrix|vector)|vector expected|Expected 1-D argument
  mm and addmm take 2 and 2 dims, mv 2 and 1, outer 1 and 1; matmul takes others.
  -> torch.matmul({first}, {rest})
must be square|be batches of square
  {name} is for square matrices.
step must be greater than zero
  torch has no negative strides, so the step of a slice is at least 1.
  -> other dims
Incompatible (?:shapes of A|dimensions$)|solve1?: Input operand
  The equations are the rows of one, and the right sides those of the other: as many of both.
(?:Index tensor|indices\W.*|take_along_dim.*) (?:must|should) have the same number of dim
  Both must have the same number of dims.
index_select.*: Index is supposed to be a vector
  index_select takes indices of one dim.
elements of source < number of ones
  The source has an element for each place that the mask picks.
used as ind|index tensor of|only integers|'indices' to have|for index\.?$|target dtype
|scalar type Long|a long tensor|supports boolean masks|to be a boolean tensor|BoolTensor
  What names places is whole numbers, of dtype int64, or a mask, of dtype bool.
  -> places
  -> 0 {}.long()
  -> 0 {}.bool()
input dtype \(torch\.(\w+)\) does not match weight dtype \(torch\.(\w+)
  {who} works in {2}, and what it is given is of {1}.
  -> 0 {}.float()
  -> 0 {}.double()
  -> 0 {}.half()
dtypes match|dtype to be eq|same (?:dtype|scalar)|type \w+ but|weight dt|\) and \w+ type|be cast to
|(?:did not|to) match (?:Dou|Fl|quer)|mixed dtype|expected dtype \w+ for
  All must be of one dtype.
  -> cast
only bool and floating types of \w*mask
  ! A mask is of bool, where True is left out, or of floats, which are added to the scores.
Output operand .*\(size (\d+) is different from (\d+)
  = It is written to and keeps its size, and the product is of another: {2} is not {1}.
same device|not on the expected device
  Their memory lies in different places.
out of meta tensor
  It is on the meta device: a header without memory, so there is nothing to be copied.
not C-contiguous|to C-contiguous views|flags \['C_CONTIGUOUS
  It is to be read byte after byte in C order.
  -> np.ascontiguousarray({})
expected input\[(?:\d+, )?(\d+), \1, (\d+)\] to have \2 channels
  {who} wants size {2} at the dim of the channels: {1} is there.
  -> 0 {}.permute(0, 3, 1, 2)
  -> 0 {}.permute(2, 0, 1)
expected input\[.*?\] to have (\d+) channels, but got (\d+)
  {who} wants size {1} at the dim of the channels: {2} is there.
running_mean should contain (\d+) elements not (\d+)|to match num_features \((\d+)\), but got: (\d+)
  {who} wants size {2}{3} at dim 1: {1}{4} is there.
normalized_shape=\[(\d+)\],.* input of size\[.*?(\d+)\]
|input_size\. Expected (\d+), got (\d+)|embedding dimension of (\d+), but got (\d+)
|inconsistent (?:input|hidden)_size: got (\d+),? expected (\d+)
  {who} wants size {1}{3}{5}{8} at the last dim: {2}{4}{6}{7} is there.
Expected more than 1 value per channel when training
  {who} works out how much the values of a channel differ, and there is one alone. In eval mode it
  takes what it has kept.
Expected (\dD.*) input to|expected (\dD.*?) input
|Expected input to be (\dD.*?),|non-empty (\dD.*?) tensor|Only (\dD.*?) input Tensors
|Expected (\d to \d dimensions), but|but \w+ mode needs (\dD)
  {who} takes {1}{2}{3}{4}{5}{6}{7}: another number of dims.
size per channel: \(([\d x]+)\)\. Kernel size: \(([\d x]+)\)
  {who} slides a window of {2} over {1}, padding included.
Given input size: \((\w+)\)\. Calculated output size: \((\w+)\)
  {who} would make {2} of {1}: along each dim one element has to be left.
batched (\d)-D input, .* should also be .* but got \(?(\d)-D
  ! The state has as many dims as the input: that has {1}, and the state {2}.
number of src and tgt must be equal
  Both have size (length, batch, features), or with batch_first (batch, length, features): batch and
  features are as many in both, and in {who}.
Expected hidden\S* size \((.*?)\), got
  It has to be ({1}): layers × directions, batch, hidden size.
doesn't match hidden\d batch size (\d+)
  The state has to be of as many sequences as the input: it is of {1}.
attn_mask is .*should be (\(.*\))
  It has to be {1}: a row for each query, and a column for each key.
key_padded_mask\.shape\[(\d)\] to be (\d+), but got (\d+)
  A mask of padding has a row for each sequence, a column for each key: {2} at dim {1}, and not {3}.
@cross_entropy,cross_entropy_loss,nll_loss,nll_loss_nd,multi_margin_loss batch_size|multi-target
|size mismatch \(got|Expected target size|batches of spatial targets
  Dim 1 of the first is the classes, and there is a target for each place in its other dims.
  -> 0 {}.permute(0, 2, 1)
  -> 1 {}.squeeze(1)
  -> 1 {}.squeeze(1).long()
target with class probabilities
  A target of the size of the first holds probabilities of the classes, in floating point.
  -> cast
implemented for 'Long|[gG]ot:? Long$|(?:only supports?|either) float(?! or)
  {name} does not take whole numbers.
^Target (-?\d+) is out of bounds
  The classes are dim 1 of the first, or its only dim, counted from 0: there is no class {1}.
selected (?:index|number) k out of range|cannot sample n_sample >|larger sample than population
  ~ There are fewer than so many elements along that dim.
index out of range in self
  Rows are counted from 0, and there is none for one of these indices.
[tT]arget size .*input size
  There is a target for each element.
  -> 1 {}.unsqueeze(1)
  -> 1 {}.squeeze(1)
  -> 1 {}.unsqueeze(1).float()
  -> 1 {}.squeeze(1).float()
storage that is not resizable
  ! {name} needs a longer storage, and that memory is not torch's to grow: somebody else lends it,
  such as NumPy. Careful: torch has given the new size all the same, over the old memory. Do not
  read that tensor any more.
size mismatch for ([\w.]+): copying .* with shape (SIZE).* is (SIZE)
  ! {1} has size {2} in what is loaded, and size {3} in the model. To be copied, both must be equal.
in DataLoader[\s\S]*got (SIZE) at entry 0 and (SIZE) at entry (\d+)
  ! The worker stacks samples, so these must have one size: sample 0 has {1}, and sample {3} {2}.
each element in list of batch should be of equal size
  ! The samples of a batch hold lists, put together item by item: they must be of one length.
expects each tensor to be equal size|all input arrays must have the same shape
  stack lays tensors of one size side by side, along a new dim.
number of dimensions: got (\d+) and (\d+)|the array at index 0 has (\d+) dim.*? has (\d+) dim
  ~ {name} joins what has the same number of dims: one has {1}{3}, and another {2}{4}.
except in dimension \d+\. Expected size (\d+) but got size (\d+)
|must match exactly, but along dimension \d+, .* has size (\d+) and .* has size (\d+)
  ~ {name} joins along one dim, and all others must be equal: {1}{3} in one is {2}{4} in another.
Size mismatch between tensors|inconsistent numbers of samples
  Dim 0 is the samples: there are as many in each.
expected sequence of length (\d+) at dim (\d+) \(got (\d+)\)
  ! A tensor has one size along each dim: of the lists at dim {2}, one has {1} items, another {3}.
inhomogeneous shape after (\d+) dimensions.*was (SIZE)
  ~ An array has one size along each dim: here {2} is common to all, and dim {1} differs.
setting an array element with a sequence\.$
  One element is written to, and several are given.
must be tuple of Tensors, not (?!Tensor|dict$)|passed as a "seq|input argument needs to be a seq
  ! {name} takes a list or a tuple, and list() makes one of what gives one after another.
  -> {call}([*{first}], {rest})
@cat,concat,concatenate,stack,vstack,hstack converted to a scalar index|tuple of Tensors, not Tensor
|multiple values for argument 'axis'
  What {name} joins stands in one list: what comes after it is the dim.
  -> {call}([{first}, {rest}])
@zeros,ones,empty Cannot interpret '\d+' as a data type
  A size is one tuple: what comes after it is the dtype.
  -> {call}(({first}, {rest}))
@view Cannot interpret '-?\d+' as a|^Type must be a sub-type of nd|^Tuple must have size 2
|takes from 0 to 2 pos
  NumPy's view takes a dtype, and reshape a size.
  -> {first}.reshape({rest})
@rand,randn 'tuple' object cannot
  {name} takes the numbers of a size one by one.
  -> {call}(*{first}, {rest})
a non-empty (?:list|Tensor)|need at least one array
  ~ {name} joins what there is, and here is nothing.
@tensor only (?:one|integer tensors of a single) element
  Of tensors it takes only those of one element.
  -> torch.stack({first}, {rest})
only 0-dim\S* arrays
  NumPy makes one number of an array without dims. item() makes one of any one element.
only one element|cannot be converted to Scalar|only length-1 arrays|array of size 1 to a Python
  One number is made of one element: this has more, or none.
format string passed to (?:Tensor|numpy\.ndarray)
  A format such as .2f is for one number, which has no dims: item() makes one of a single element.
^invalid index to scalar
  ~ It has no dims, so there is nothing in it to pick.
iteration over a 0-d|^len\(\) of (?:a 0-d|unsized)
  ~ It has no dims, so there is nothing to go through one after another.
cannot be multiplied \(\d+x(\d+) and (\d+)x|\(\d+,(\d+)\) and \((\d+),\d+\) not aligned
|batch2 tensor to be: \[\d+, (\d+)\] but got: \[\d+, (\d+)|mat \(\d+x(\d+)\), vec \((\d+)
|Input.*core dimension.*\(size (\d+) is different from (\d+)
  ~ A product goes along one dim of both: {1}{3}{5}{7}{9} is not {2}{4}{6}{8}{10}.
size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)
  ~ Aligned at the right, one has {1} and another {2} along a dim: they must be equal, or one 1.
broadcast together with shapes (.*\S)|Mismatch is between .* with shape (SIZE).* (SIZE)
  ~ Sizes {1}{2} {3} are aligned at the right, and along each dim they must be equal, or one of them
  1.
unexpected keyword argument 'axis'|got \(.*(?:ddof|axis)=\w+,
  torch's {name} does not take such keywords. NumPy's functions hand theirs on to a tensor.
  -> {}.numpy()
@MSELoss,L1Loss,BCELoss,NLLLoss,CrossEntropyLoss,BCEWithLogitsLoss Boolean value of Tensor with more
  {name} makes a layer, and that is called with tensors: {name}()(input, target).
truth value of an array|Boolean value of Tensor with more
  ~ One truth is made of one element: there are more, of which any() or all() makes one.
must be Tensor, not numpy|expected Tensor as element \d+ in argument \d+, but got numpy
|^'numpy.ndarray' .* '(?:cuda|cpu|to|dim|unsqueeze|permute|detach|float|numel|(?:log_)?softmax)'
|assign a numpy|(?:to be|has to be) a [tT]ensor.*numpy|numpy.ndarray' and 'T|r' and 'numpy
|got \([^)]*numpy\.ndarray[^)]*\), but expected one of:\s*\* \(Tensor
|^Concatenation operation is not|numpy.ndarray' object to buffer
  torch takes tensors here. One on the memory of an array is soon made.
  -> torch.from_numpy({})
  -> torch.from_numpy({}).float()
  -> {call}([torch.from_numpy(each) for each in {first}], {rest})
expected Tensor as element (\d+) in argument \d+, but got (tuple|list|float|int)
  {name} joins tensors, and item {1} is of type {2}.
  -> torch.tensor({first})
expected np.ndarray \(got (.*)\)
  {name} puts a tensor on the memory of an array, and this is a {1}.
  -> torch.as_tensor({first})
integer tensors of a single element|integer scalar arrays
  One whole number is made of one element, of a dtype of whole numbers. NumPy wants it without dims.
zero-dimensional \w+ .*cannot be concatenated
  {name} joins along a dim that is there, and these have none.
  -> torch.stack({first}, {rest})
^'(list|tuple)' .* '(to|cpu|cuda|detach|clone)'
  ! A {1} has no {2}(): it is asked of each tensor in it. torch.tensor() makes one of numbers.
^'(?:torch\.return_types\.)?(dict|max|min|sort|topk)' .* '(to|cpu|cuda|detach|clone)'
  ! A {1} has no {2}(): it is asked of each tensor in it.
^'(list|tuple)' .* attribute '(?:shape|dtype|ndim|view|reshape|unsqueeze|size|permute|float|sum)'
|^(list|tuple) indices must be .* not tuple|only concatenate (list|tuple) \(not "Tensor
|unsupported operand type\S* for \S+ 'Tensor' and '(list|tuple)'|'in\w+' .* Tensor, not (list|tuple)
|assign a (list|tuple) to a torch
  ! A {1}{2}{3}{4}{5}{6} holds objects, and has no header: no size, no dtype. torch.tensor() or
  np.array() makes a tensor or an array of numbers.
^'(?:numpy.ndarray|Tensor)' object has no attribute '(append|extend|insert|pop|remove)'
  Its size stays as it is: np.append() and torch.cat() make another, and a list grows.
^'Tensor' object has no attribute 'copy'
  torch's word for it is clone().
^'Tensor' object has no attribute 'astype'
  torch's word for it is to(), as in to(torch.float32).
@?TensorDataset object is not callable
  torch takes tensors here. One on the memory of an array is soon made.
must be torch\.dtype, not|Invalid device string: '(?:b?float|u?int|complex)\d+'
  ! torch has dtypes of its own, such as torch.float32 and torch.int64, and takes no other name.
not broadcastable with batch_shape\+event_shape: (SIZE) vs (SIZE)
  ! The values have size {1}, and the distribution {2}: these are aligned at the right, and along
  each dim they must be equal, or one of them 1.
@?size,?shape object is not callable
  Nothing there is called: its size along each dim is an item of its shape.
  -> {first}.shape[{rest}]
^Fan in and fan out
  Fan in and fan out are sizes of dims 1 and 0: there are fewer dims here, as a bias has.
in the mapped dimension, got sizes (\[.*?\])
  ! vmap goes along one dim of each, and these must be as large: here they are {1}.
'numpy.ndarray' object has no attribute '(?:plot|imshow|scatter|hist|bar|set_\w+|axis)'
  It is an array of several, and one is picked by an index for each of its dims.
^a must be 1-dimensional
  It picks from one dim: rows are picked by their indices, out of len() of them.
same first dimension, but have shapes|an unequal size of
|x and y (?:must|to) (?:be the|have(?: the)?) same
  ~ There is one y for each x, along the first dim.
with 'x' and 'y' with size|to match x and y|number of arrow positions
  There is one value for each point.
number of (?:columns|rows) in z
  There is an x for each column of z, and a y for each row.
no attribute '__array_interface__'
  PIL makes images of arrays, and numpy() makes an array of a tensor.
Cannot handle this data type
  PIL makes images of whole bytes, of dtype uint8.
divisible by (num_\w+|groups)
  Groups and heads are equal pieces: what is cut into them has to be divisible by {1}.
@~,invert,bitwise_not invert|bitwise_not
  Bits are turned round in whole numbers and in bool, and not in floats.
  -> {}.bool()
  -> {}.astype(bool)
^a and p must have|^fp and xp are not|^weights should have the same shape
  ~ There is one for each of the other: both are of one length.
^mean (?:and|must)|^cov must be 2
  ~ The means have one dim, and the covariances a row and a column for each of them.
'[xy]err' \(shape
  An error is one number for each point, or two rows of them: how far down, and how far up.
[wW]rong shape: expected (\S+) dims\. Received (\d+)-dim
  ! The pattern names {1} dims at its left, and the tensor has {2}.
divide axis of length (\d+) in chunks of (\d+)
  ! A dim of size {1} is to be cut into equal pieces, and is not divisible by {2}.
pattern[\s\S]*Shape mismatch, (\d+) != (\d+)$
  ! The pattern says a dim of size {2}, and that dim has size {1}.
object too deep
  One of them has more dims than {name} takes.
"""


def _registered(row: str) -> None:
    """Register the rule that a row of the table is."""
    pattern, *lines = (line.strip() for line in row.split("\n"))
    names, pattern = pattern[1:].split(" ", 1) if pattern[0] == "@" else ("", pattern)
    clause = " ".join(line for line in lines if not line.startswith("-> "))
    forms = tuple(line[3:] for line in lines if line.startswith("-> "))

    @RULES.on(pattern, names.replace(",", " "))
    def _(operation: Operation, said: Said) -> Grounds | None:
        groups = [str(numbers(x)) if re.fullmatch(SIZE, x) else x for x in said.groups("")]
        name = operation.name.strip("?")
        name = name if name.isidentifier() else "it"
        text = " ".join(clause.format("", *groups, name=name, who=operation.module or name).split())
        if text.startswith("! "):
            return Grounds((), text[2:], forms, alone=True)
        if text.startswith("= "):
            x = operation.written
            fits = x.is_array and x.value.flags.writeable and "own" in forms
            return None if fits else Grounds((x,), text[2:], forms)
        xs = _named(operation, said.string, "the first" in text)
        if operation.is_inside and "torch.from_numpy({})" in forms:
            xs = tuple(x for x in xs if x.is_array)
        if "cast" in forms:
            # Indices and masks are of a dtype of their own.
            picks = operation.name.strip("?").startswith(("scatter", "index", "put"))
            given = (*operation.args, *operation.kwargs.values())[1:-1]
            index = [(y.text, y.node) for x in given for y in x.parts if picks]
            xs = tuple(x for x in xs if (x.text, x.node) not in index)
            values = tuple(x for x in xs if x.dtype not in ("int64", "int32", "bool"))
            xs = values if len({x.dtype for x in values}) > 1 else xs
            if len({x.dtype for x in xs}) < 2:
                return None
        is_call = operation.is_known and isinstance(operation.node, ast.Call)
        stands_alone = is_call or (text.startswith("~ ") and not operation.is_inside)
        return Grounds(xs, text.removeprefix("~ "), forms) if xs or stands_alone else None


def _named(operation: Operation, message: str, both: bool) -> tuple[Operand, ...]:
    """The tensors of sizes that are named, or up to three; of many, one of each size.

    Inside of a library, none where the message names other sizes, unless it is about `both`.
    """
    sizes = [numbers(text) for text in re.findall(SIZE, message)]
    xs = operation.tensors
    if len(xs) > 3:
        xs = sorted({x.size: x for x in xs[::-1]}.values(), key=xs.index)
    named = [x for x in xs if x.size in sizes or (1, *x.size) in sizes]
    if len(named) < 2 and (both or not (operation.is_inside and sizes)):
        named += [x for x in xs if x not in named][: 3 - len(named)]
    return tuple(sorted(named, key=xs.index))


for _row in re.split(r"\n(?=\S)", _WORDING.strip().replace("\n|", "|")):
    _registered(_row)
