"""What is wrong with a tensor that came back: its type, its values, or that it is not a copy.

Each function gives the rest of a sentence that begins with the call, or None.
"""

from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.dtypes import as_dtype
from stridekit.tensors.storage import Storage
from stridekit_course.checks.callee import Foreign, Outcome, TensorData
from stridekit_course.checks.returns import foreign, raised, shown

DTYPES = (
    *("int64", "bool", "uint8", "int8", "int16", "int32"),
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
)


def no_tensor(outcome: Outcome, size: Ints) -> str | None:
    """That it raised, or gave something else."""
    result = outcome.value
    if outcome.kind == "raised":
        return f"{raised(outcome)}; expected a tensor of size {size}."
    if result is None:
        return "returned None. Return a torch tensor. Is a `return` missing?"
    if isinstance(result, Foreign):
        # Sparse, nested, or without memory.
        odd = result.type == "torch.Tensor"
        problem = foreign(result, f"a torch tensor{' with strides, in memory' if odd else ''}")
        return f"returned {problem}{'' if problem.endswith('?') else '.'}"
    if not isinstance(result, TensorData):
        return f"returned {shown(result)}. Return a torch tensor."
    if result.library != "torch":
        return f"returned a tensor of {result.library}. Return a torch tensor."
    return None


def other_kind(result: TensorData, dtype: str, size: Ints, why: str = "") -> str | None:
    """That its dtype or its size is another one."""
    if result.dtype != dtype:
        return f"returned dtype {result.dtype}; expected {dtype}."
    if result.size != size:
        return f"returned size {result.size}; expected {size}{why}."
    low, high = result.layout.reach or (0, -1)
    if low < 0 or (high + 1) * result.itemsize > len(result.storage):
        read = f"the {len(result.storage):,} bytes that are read of its storage"
        return f"returned stride {result.stride}, which leads out of {read}."
    return None


def other_values(result: TensorData, values: bytes) -> str | None:
    """That it does not hold these values, bit for bit; they stand in row-major order.

    Dtype and size are as they should be.
    """
    own = result.values()
    if own == values:
        return None
    dtype, width = as_dtype(result.dtype), result.itemsize
    where = next(
        i for i in range(0, len(own), width) if own[i : i + width] != values[i : i + width]
    )
    (theirs,), (expected,) = (dtype.unpack(each[where : where + width]) for each in (own, values))
    index = Layout.of(result.size).index_at(where // width)
    bits = ""
    if repr(theirs) == repr(expected):
        # Such as two kinds of nan.
        theirs_bits, bits = (each[where : where + width].hex() for each in (own, values))
        bits = f": the bytes are {theirs_bits}, and not {bits}"
    return f"returned {theirs!r} at index {index}; expected {expected!r}{bits}."


def copied(given: TensorData, stride: Ints | None = None) -> TensorData:
    """The same elements under other strides, row-major ones if none are given, on new storage."""
    layout = Layout.of(given.size, stride)
    storage = bytearray(layout.numel * given.itemsize)
    Storage.wrap(storage).scatter(layout, given.itemsize, given.values())
    return TensorData("torch", given.dtype, given.size, layout.stride, 0, bytes(storage))


def wrong_tensor(
    outcome: Outcome, expected: TensorData, order: str, *, view: str = "", why: str = ""
) -> str | None:
    """That it is not the tensor that is expected, in an order of that name.

    Where only a copy is right, `view` says what a result is that is none.
    """
    result = outcome.value
    # Nearly always it is, and to look at the values takes ten times as long.
    if outcome.aliases is None and result == expected:
        return None
    return (
        no_tensor(outcome, expected.size)
        or other_kind(result, expected.dtype, expected.size, why)
        or _lies_wrong(outcome, expected, order, view and f"{view}, of ")
        or other_values(result, expected.values())
    )


def _lies_wrong(outcome: Outcome, expected: TensorData, order: str, view: str) -> str | None:
    size, stride = outcome.value.size, outcome.value.stride
    itself = "the tensor itself, of " if outcome.is_argument == 0 else ""
    if view and outcome.aliases is not None:
        wanted = "a copy in row-major order, on a storage of its own"
        return f"returned {itself or view}stride {stride}; expected {wanted}."
    dims = zip(size, stride, expected.stride, strict=True)
    if 0 in size or all(n == 1 or own == step for n, own, step in dims):
        return None
    free = ", where dims of size 1 may have any stride" if 1 in size else ""
    which = f"which is not {order}; expected {expected.stride}{free}"
    return f"returned {itself}stride {stride}, {which}."
