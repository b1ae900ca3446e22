"""Memory that is not written to, or that cannot be shared or read as what was asked."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from stridekit.own_code.operations import Operand, Operation
from stridekit.own_code.safe_lookup import Unknown
from stridekit.own_code.verdicts import Told, dtype_of, family, header, sized, tensor_of
from stridekit.own_code.ways_out import WayOut, after, turned, with_name, with_operand, written


@family(r"call numpy\(\) on Tensor|to numpy|ScalarType")
def _no_array(operation: Operation, said: "re.Match[str]") -> Told | None:
    """Memory that `numpy()` cannot share (torch/csrc/utils/tensor_numpy.cpp)."""
    for x in operation.tensors:
        real = x.found if isinstance(x.found, torch.Tensor) else x.value
        if not isinstance(real, torch.Tensor):
            continue
        text = said.string
        dtype = dtype_of(x)
        reasons = (
            ("requires grad", real.requires_grad, "detach()",
             f"{x.name} requires grad: what is written through the array, autograd would not see"),
            ("conjugate", real.is_conj(), "resolve_conj()",
             f"{x.name} is a lazy conjugate: its memory holds other values than it shows"),
            ("negative bit", real.is_neg() or x.found is None, "resolve_neg()",
             f"{x.name} is a lazy negative: its memory holds other signs than it shows"),
            ("ScalarType", True, "float()",
             f"NumPy has no {dtype}, so nothing there could read those bytes"),
            ("meta device", real.device.type == "meta", "",
             f"{x.name} is a meta tensor, a header without memory: there is nothing to share"),
            ("device", real.device.type != "cpu", "cpu()",
             f"its memory lies on {real.device}, where NumPy cannot read it"),
        )  # fmt: skip
        for word, holds, method, why in reasons:
            if word in text and holds:
                known = x.found is not None
                way = method and with_operand(operation, x, f"{{}}.{method}", known=known)
                start = f"NumPy would get an array on the memory of {x.name}, and "
                return Told((x,), f"{start}{why}.", [way or None], alone=True)
    return None


@family(r"given numpy array|np.ndarray of type", "from_numpy as_tensor tensor")
def _no_tensor(operation: Operation, _: "re.Match[str]") -> Told | None:
    """An array whose memory `from_numpy` cannot share (torch/csrc/utils/tensor_numpy.cpp)."""
    x = operation.receiver
    if not x.is_array:
        raise Unknown(x.text)
    array, way = x.value, "{}.copy()"
    strides = f"It has byte_strides {array.strides}"
    if min(array.strides, default=0) < 0:
        dim = next(d for d, step in enumerate(array.strides) if step < 0)
        clause = f"{strides}: along dim {dim} it goes backwards through memory, and torch has no negative strides."
    elif any(step % array.itemsize for step in array.strides):
        clause = f"{strides}, no multiples of its itemsize {array.itemsize}, and torch counts in elements."
    elif not array.dtype.isnative:
        way = f"{{}}.astype('{array.dtype.str[1:]}')"
        clause = f"Its dtype is {array.dtype.str}: its bytes are in the order of another machine."
    else:
        clause, way = f"Its dtype is {array.dtype}, which is none of torch's.", ""
    return Told((x,), clause, [with_operand(operation, x, way) if way else None])


@family(r"more than one element of the written-to tensor")
def _overlapping(operation: Operation, _: "re.Match[str]") -> Told | None:
    """Elements that share memory are not written to (ATen/MemoryOverlap.cpp)."""
    target = tensor_of(operation.target)
    layout = header(target).layout
    dims = enumerate(zip(layout.size, layout.stride, strict=True))
    zeros = [d for d, (n, step) in dims if n > 1 and step == 0]
    if not layout.has_overlap:
        return None
    because = (
        f"along dim {zeros[0]}, of stride 0, its {layout.size[zeros[0]]} elements are one in memory"
        if zeros
        else "several of its indices lead to one position"
    )
    clause = f"It is written to, and has stride {layout.stride}: {because}, which cannot take several values."
    return Told((target,), clause, [after(operation, target, "clone")])


@family(r"some elements of the input tensor and the written-to")
def _shifted(operation: Operation, _: "re.Match[str]") -> Told | None:
    """A tensor is not written to while a shifted view of it is read."""
    target = tensor_of(operation.target)
    memory = target.value.untyped_storage()._cdata
    for x in operation.tensors:
        torchs = isinstance(x.value, torch.Tensor) and x.node is not target.node
        if torchs and x.value.untyped_storage()._cdata == memory:
            clause = (
                f"{x.name} is read and {target.name} is written to, and the two share some of their memory, "
                "shifted: what is written here would be read there."
            )
            return Told((target, x), clause, [with_operand(operation, x, "{}.clone()")])
    return None


@family(r"is read-only")
def _read_only(operation: Operation, _: "re.Match[str]") -> Told | None:
    """An array that may not be written to."""
    target = operation.target
    if target is not None and not target.is_array:
        target = operation.receiver
    array = tensor_of(target).value
    if type(array) is not np.ndarray or array.flags.writeable:
        return None
    steps = [s for n, s in zip(array.shape, array.strides, strict=True) if n > 1]
    if 0 in steps and array.size:
        because = f"its byte_strides are {array.strides}, and a stride of 0 repeats one element"
    elif isinstance(array.base, np.ndarray) and array.base.flags.writeable:
        because = "its flag writeable is off, as it is in views such as diagonal gives"
    elif array.base is not None:
        because = "it is a view of memory that is read-only, or its flag writeable is off"
    else:
        because = "its flag writeable is off"
    return Told((target,), f"It is read-only: {because}.", [after(operation, target, "copy")])


@family(r"(?P<view>a view of )?a leaf Variable that requires grad is being used in an in-place")
def _leaf(operation: Operation, _: "re.Match[str]") -> Told | None:
    """A leaf of autograd's is not written to."""
    x = operation.target
    if x is None or not x.is_tensor:
        x = tensor_of(operation.receiver)
    if not x.value.requires_grad:
        return None
    base = "it is" if x.found is not None and x.found.is_leaf else "its memory is that of"
    clause = (
        f"It is written to in place, and {base} a leaf that requires grad: the values that "
        "autograd starts from would be gone. Under torch.no_grad() it may be written to."
    )
    return Told((x,), clause)


@family(r"result type \w+ can't be cast to|Cannot cast ufunc '\w+' output")
def _another_dtype(operation: Operation, said: "re.Match[str]") -> Told | None:
    """A result that does not go into memory of its target's dtype."""
    target = tensor_of(operation.target)
    own = dtype_of(target)
    named = re.findall(r"dtype\('(\w+)'\)", said.string)
    names = re.search(r"result type (\w+) .* output type (\w+)", said.string)
    result = named[0] if named else _SCALARS.get(names[1], "") if names else ""
    if own != (named[1] if named else _SCALARS.get(names[2]) if names else None):
        return None
    clause = (
        f"Its memory holds {own}, and the result is {result}: written in place, it would have to become "
        f"{own} again, which loses what {result} can say."
    )
    ways: list[WayOut | None] = []
    if operation.name.endswith("=") and not isinstance(target.node, type(None)):
        ways = [written(f"{{0}} = {{0}} {operation.name[:-1]} {{1}}", target, operation.args[0])]
    elif operation.name.endswith("_"):
        ways = [with_name(operation, operation.name[:-1])]
    return Told((target,), clause, ways)


_SCALARS = {
    **{"Float": "float32", "Double": "float64", "Half": "float16", "Long": "int64", "Int": "int32"},
    **{"Short": "int16", "Char": "int8", "Byte": "uint8", "Bool": "bool", "BFloat16": "bfloat16"},
    **{"ComplexFloat": "complex64", "ComplexDouble": "complex128"},
}


_METHODS = {
    **{"float32": "float", "float16": "half", "bfloat16": "bfloat16", "float64": "double"},
    **{"int64": "long", "int32": "int", "uint8": "byte", "bool": "bool"},
}


@family(r"source and destination dtypes match|have (?:the )?same dtype"
        r"|type \(.*\) and bias type|type \(.*\) and weight type")  # fmt: skip
def _two_dtypes(operation: Operation, _: "re.Match[str]") -> Told | None:
    """Tensors of different dtypes where one is needed."""
    tensors = [x for x in operation.tensors if x is not operation.target or operation.name != "[]="]
    kinds = {dtype_of(x): x for x in reversed(tensors)}
    if operation.name == "[]=":
        kinds = {dtype_of(x): x for x in (operation.receiver, operation.args[1]) if x.is_tensor}
    if len(kinds) != 2:
        return None
    x, y = sorted(kinds.values(), key=lambda x: x.text != operation.receiver.text)
    clause = f"{x.name} is {dtype_of(x)} and {y.name} {dtype_of(y)}: both must be of one dtype."
    goals = [(b, _METHODS[dtype_of(a)]) for a, b in ((x, y), (y, x)) if dtype_of(a) in _METHODS]
    if operation.name != "[]=":
        # Rather float32 for both than what takes twice the room, or whole numbers.
        goals.sort(key=lambda goal: list(_METHODS.values()).index(goal[1]))
    return Told((x, y), clause, [with_operand(operation, b, f"{{}}.{how}()") for b, how in goals])


@family(
    r"used as indices must be|to have one of the following scalar types|expected target dtype|expected scalar type Long"
)
def _no_indices(operation: Operation, _: "re.Match[str]") -> Told | None:
    """What names places is whole numbers."""
    candidates = [x for x in operation.tensors if "float" in dtype_of(x) or "int" in dtype_of(x)]
    index = operation.args[0] if operation.args else operation.receiver
    if operation.name == "embedding":
        index = operation.receiver
    if operation.name.startswith(("cross_entropy", "nll")):
        index = operation.args[0]
    if not index.is_tensor or index not in candidates or dtype_of(index) == "int64":
        return None
    clause = f"{index.name} is {dtype_of(index)}, and names places: whole numbers of dtype int64."
    way = "{}.astype(int)" if index.is_array else "{}.long()"
    return Told((index,), clause, [with_operand(operation, index, way)])


@family(r"on the same device|is not on the expected device|out of meta tensor")
def _another_device(operation: Operation, said: "re.Match[str]") -> Told | None:
    """Memory in different places, or none at all."""
    tensors = [x for x in operation.tensors if isinstance(x.found, torch.Tensor)]
    places = {str(x.found.device): x for x in tensors}
    if "out of meta" in said.string:
        return Told(
            (tensor_of(operation.receiver),),
            "It is on the meta device: a header without memory, so nothing can be copied.",
        )
    if len(places) < 2:
        return None
    where = ", and ".join(f"that of {x.name} on {place}" for place, x in places.items())
    return Told(tuple(places.values()), f"Their memory lies in different places: {where}.")


@family(r"not C-contiguous|to C-contiguous views|not contiguous")
def _not_one_run(operation: Operation, _: "re.Match[str]") -> Told | None:
    """Bytes that are to be read one after another, and do not lie so."""
    for x in operation.operands:
        if x.is_array and not header(x).layout.is_contiguous:
            clause = (
                f"It has stride {header(x).stride}, and is to be read as bytes that lie one after another in "
                "C order."
            )
            return Told(
                (x,), clause, [with_operand(operation, x, "np.ascontiguousarray({})", known=True)]
            )
    return None


@family(r"buffer size must be|buffer is smaller|buffer is too small|buffer length")
def _too_few_bytes(operation: Operation, _: "re.Match[str]") -> Told | None:
    """A buffer that is not as long as what it is to hold."""
    source = operation.kwargs.get("buffer", operation.receiver)
    held = source.value.nbytes if source.is_array else len(source.value)
    if operation.name == "?ndarray":
        dtype = operation.kwargs.get("dtype")
        itemsize = np.dtype(dtype.value if dtype else float).itemsize
        size = operation.receiver.value
        count = int(np.prod(size))
        clause = f"Size {size} has {count} elements of {itemsize} bytes each, and the buffer holds {held} bytes: {held // itemsize} of them."
        return Told((), clause, alone=True)
    dtype: Any = operation.argument(0, "dtype")
    itemsize = dtype.itemsize if isinstance(dtype, torch.dtype) else np.dtype(dtype).itemsize
    count = operation.argument(1, "count", default=-1)
    clause = f"{source.name} holds {held} bytes, and an element takes {itemsize}"
    clause += (
        f": that is no whole number of them."
        if count < 0
        else f", so {count} of them take {count * itemsize}."
    )
    return Told((), clause, alone=True)
