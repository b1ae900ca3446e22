"""Memory that is not written to, or that cannot be shared or read as what was asked."""

import re
from typing import Any

import numpy as np
import torch

from stridekit.own_code.operations import Operand, Operation
from stridekit.own_code.safe_lookup import Unknown
from stridekit.own_code.verdicts import Grounds, dtype_of, family, header, receiver, rule, tensor_of
from stridekit.own_code.ways_out import after, swapped, with_name, written

# Why `numpy()` gives no array (torch/csrc/utils/tensor_numpy.cpp): a word of the message, whether
# it holds of a tensor, what helps, and the reason.
_NO_ARRAY = (
    ("requires grad", "requires_grad", "detach()",
     "{0} requires grad: what is written through the array, autograd would not see"),
    ("conjugate", "is_conj", "resolve_conj()",
     "{0} is a lazy conjugate: its memory holds other values than it shows"),
    ("negative bit", "dtype", "resolve_neg()",
     "{0} is a lazy negative: its memory holds other signs than it shows"),
    ("ScalarType", "dtype", "float()", "NumPy has no {1}, so nothing there could read those bytes"),
    ("meta device", "is_meta", "", "{0} is a header without memory: there is nothing to share"),
    ("device", "device", "cpu()", "that memory lies on another device, where NumPy cannot read it"),
)  # fmt: skip


@family(r"call numpy\(\) on Tensor|to numpy|ScalarType")
def _no_array(operation: Operation, said: "re.Match[str]") -> Grounds | None:
    """Memory that `numpy()` cannot share."""
    for x in operation.tensors:
        real = x.value if x.found is None else x.found
        for word, attribute, method, why in _NO_ARRAY:
            holds = getattr(real, attribute, False)
            if word in said.string and (holds() if callable(holds) else holds):
                sentence = f"NumPy would get an array on the memory of {x.name}, and "
                alone = x.found is not None
                way = swapped(operation, x.node, f"{{}}.{method}", alone=alone) if method else None
                sentence += f"{why.format(x.name, dtype_of(x))}."
                return Grounds((x,), sentence, [way], alone=True)
    return None


@family(r"given numpy array|np.ndarray of type", "from_numpy as_tensor tensor")
def _no_tensor(operation: Operation, _: "re.Match[str]") -> Grounds | None:
    """An array whose memory `from_numpy` cannot share (torch/csrc/utils/tensor_numpy.cpp)."""
    x = operation.receiver
    if not x.is_array:
        raise Unknown(x.text)
    steps, dtype, way = x.value.strides, x.value.dtype, "{}.copy()"
    back = [dim for dim, step in enumerate(steps) if step < 0]
    if back:
        clause = f"It has byte_strides {steps}: along dim {back[0]} it goes backwards through "
        clause += "memory, and torch has no negative strides."
    elif any(step % dtype.itemsize for step in steps):
        clause = f"It has byte_strides {steps}, no multiples of its itemsize {dtype.itemsize}, "
        clause += "and torch counts in elements."
    elif not dtype.isnative:
        way = f"{{}}.astype('{dtype.str[1:]}')"
        clause = f"Its dtype is {dtype.str}: its bytes are in the order of another machine."
    else:
        return Grounds((x,), f"Its dtype is {dtype}, which is none of torch's.")
    return Grounds((x,), clause, [swapped(operation, x.node, way)])


def _target(operation: Operation) -> Operand:
    """What is written to: the tensor, or what it is an item of. Raises Unknown."""
    target = operation.target
    return target if target is not None and target.is_tensor else tensor_of(operation.receiver)


@family(r"more than one element of the written-to tensor")
def _overlapping(operation: Operation, _: "re.Match[str]") -> Grounds | None:
    """Elements that share memory are not written to (ATen/MemoryOverlap.cpp)."""
    target = _target(operation)
    layout = header(target).layout
    dims = enumerate(zip(layout.size, layout.stride, strict=True))
    zeros = [
        f"along dim {d} the stride is 0, and all {n} elements are one in memory"
        for d, (n, s) in dims
        if n > 1 and s == 0
    ]
    if not layout.has_overlap:
        return None
    because = (zeros or ["several of its indices lead to one position"])[0]
    clause = (
        f"It is written to, and has stride {layout.stride}: {because}, which cannot take several "
    )
    clause += "values."
    return Grounds((target,), clause, [after(operation, target, "clone")])


@family(r"some elements of the input tensor and the written-to")
def _shifted(operation: Operation, _: "re.Match[str]") -> Grounds | None:
    """A tensor is not written to while a shifted view of it is read."""
    target = _target(operation)
    memory = target.value.untyped_storage()._cdata
    for x in operation.tensors:
        if x.text != target.text and not x.is_array and x.value.untyped_storage()._cdata == memory:
            clause = (
                f"{x.name} is read while {target.name} is written to, and the two share some of "
            )
            clause += "their memory, shifted: what is written here would be read there."
            return Grounds((target, x), clause, [swapped(operation, x.node, "{}.clone()")])
    return None


@family(r"is read-only")
def _read_only(operation: Operation, _: "re.Match[str]") -> Grounds | None:
    """An array that may not be written to."""
    target = _target(operation)
    if not target.is_array:
        target = tensor_of(operation.receiver)
    array = target.value
    if not target.is_array or array.flags.writeable:
        return None
    repeated = array.size and any(
        n > 1 and s == 0 for n, s in zip(array.shape, array.strides, strict=True)
    )
    because = "its flag writeable is off"
    if repeated:
        because = f"its byte_strides are {array.strides}, and a stride of 0 repeats one element"
    elif array.base is not None:
        because += ", or the owner of that memory made it read-only"
    return Grounds(
        (target,), f"It cannot be written to: {because}.", [after(operation, target, "copy")]
    )


rule(
    r"a leaf Variable that requires grad is being used in an in-place",
    "",
    "It is written to in place, and its memory is that of a leaf that requires grad: the values "
    "that autograd starts from would be gone. Under torch.no_grad() it may be written to.",
    of=lambda operation, _: [_target(operation)],
)
_SCALARS = {
    "Float": "float32", "Double": "float64", "Half": "float16", "BFloat16": "bfloat16",
    "Long": "int64", "Int": "int32", "Short": "int16", "Char": "int8", "Byte": "uint8",
    "Bool": "bool", "ComplexFloat": "complex64", "ComplexDouble": "complex128",
}  # fmt: skip


@family(r"result type (\w+) can't be cast to the desired output type (\w+)")
@family(r"Cannot cast ufunc '\w+' output from dtype\('(\w+)'\) to dtype\('(\w+)'\)")
def _another_dtype(operation: Operation, said: "re.Match[str]") -> Grounds | None:
    """A result that does not go into memory of its target's dtype."""
    target = _target(operation)
    result, own = (_SCALARS.get(name, name) for name in said.groups())
    if own != dtype_of(target):
        return None
    clause = (
        f"Its memory holds {own}, and the result is {result}: written in place it would have to "
    )
    clause += f"become {own}, which loses what {result} can say."
    way = None
    if operation.name.endswith("="):
        form = f"{{0}} = {{0}} {operation.name[:-1]} {{1}}"
        way = written(operation, form, target, operation.args[0])
    elif operation.name.endswith("_"):
        way = with_name(operation, operation.name[:-1])
    return Grounds((target,), clause, [way])


# Rather float32 for both than what takes twice the room, or whole numbers.
_CASTS = {
    "float32": "float", "float16": "half", "bfloat16": "bfloat16", "float64": "double",
    "int64": "long", "int32": "int", "uint8": "byte", "bool": "bool",
}  # fmt: skip


@family(r"source and destination dtypes match|have (?:the )?same dtype|\) and (?:bias|weight) type")
def _two_dtypes(operation: Operation, _: "re.Match[str]") -> Grounds | None:
    """Tensors of different dtypes where one is needed."""
    writes = operation.name == "[]="
    tensors = [operation.receiver, operation.args[1]] if writes else operation.tensors
    kinds = {dtype_of(x): x for x in reversed(tensors)}
    if len(kinds) != 2:
        return None
    (a, x), (b, y) = sorted(kinds.items(), key=lambda kind: tensors.index(kind[1]))
    casts = [(list(_CASTS).index(to), z) for to, z in ((a, y), (b, x)) if to in _CASTS]
    casts = casts[:1] if writes else sorted(casts, key=lambda cast: cast[0])
    forms = list(_CASTS.values())
    ways = [swapped(operation, z.node, f"{{}}.{forms[place]}()") for place, z in casts]
    return Grounds((x, y), f"{x.name} is {a}, and {y.name} {b}: both must be of one dtype.", ways)


@family(
    r"as indices must be|following scalar types|expected target dtype|expected scalar type Long"
)
def _no_indices(operation: Operation, _: "re.Match[str]") -> Grounds | None:
    """What names places is whole numbers."""
    x = operation.receiver if operation.name == "embedding" else operation.args[0]
    if dtype_of(x) == "int64":
        return None
    clause = f"{x.name} is {dtype_of(x)}, and names places: whole numbers of dtype int64."
    way = swapped(operation, x.node, "{}.astype(int)" if x.is_array else "{}.long()")
    return Grounds((x,), clause, [way])


rule(
    r"out of meta tensor",
    "",
    "It is on the meta device: a header without memory, so there is nothing to be copied.",
    of=receiver,
)


@family(r"on the same device|is not on the expected device")
def _another_device(operation: Operation, _: "re.Match[str]") -> Grounds | None:
    """Memory in different places."""
    places = {
        str(x.found.device): x for x in operation.tensors if isinstance(x.found, torch.Tensor)
    }
    where = ", and ".join(f"that of {x.name} on {place}" for place, x in places.items())
    clause = f"Their memory lies in different places: {where}."
    return Grounds(tuple(places.values()), clause) if len(places) > 1 else None


@family(r"not C-contiguous|to C-contiguous views")
def _not_one_run(operation: Operation, _: "re.Match[str]") -> Grounds | None:
    """Bytes that are to be read one after another, and do not lie so."""
    for x in operation.operands:
        if x.is_array and not header(x).layout.is_contiguous:
            clause = (
                f"It has stride {header(x).stride}, and is to be read byte after byte in C order."
            )
            return Grounds(
                (x,), clause, [swapped(operation, x.node, "np.ascontiguousarray({})", alone=True)]
            )
    return None


@family(r"buffer size must be|buffer is smaller|buffer is too small|buffer length")
def _too_few_bytes(operation: Operation, _: "re.Match[str]") -> Grounds | None:
    """A buffer that is not as long as what it is to hold."""
    source = operation.kwargs.get("buffer", operation.receiver)
    held = source.value.nbytes if source.is_array else len(source.value)
    dtype: Any = operation.kwargs["dtype"].value if "dtype" in operation.kwargs else float
    if operation.name == "?ndarray":
        count = int(np.prod(operation.receiver.value))
    else:
        dtype = operation.argument(0, "dtype", default=dtype)
        count = operation.argument(1, "count", default=0)
    itemsize = dtype.itemsize if isinstance(dtype, torch.dtype) else np.dtype(dtype).itemsize
    wanted = (
        f"{count} elements of {itemsize} bytes each"
        if count
        else f"whole elements of {itemsize} bytes"
    )
    return Grounds(
        (), f"{source.name} holds {held} bytes, and {wanted} were asked for.", alone=True
    )
