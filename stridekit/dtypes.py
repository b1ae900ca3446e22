"""The dtypes: a name, a size in bytes, and how one element is read from bytes.

Sizes are in bytes. Codes are those of the standard library's `struct` module, in the
machine's own byte order.
"""

from dataclasses import dataclass

from stridekit.errors import DTypeError


@dataclass(frozen=True, slots=True)
class DType:
    """An element type: its torch name, its size in bytes, its `struct` code.

    >>> int64.itemsize
    8
    >>> int64
    stridekit.int64
    """

    name: str
    itemsize: int
    code: str

    @property
    def is_floating_point(self) -> bool:
        """Whether the elements are real floating point numbers."""
        return self.code in "efd"

    def __repr__(self) -> str:
        return f"stridekit.{self.name}"


bool_ = DType("bool", 1, "?")
uint8 = DType("uint8", 1, "B")
int8 = DType("int8", 1, "b")
int16 = DType("int16", 2, "h")
int32 = DType("int32", 4, "i")
int64 = DType("int64", 8, "q")
float16 = DType("float16", 2, "e")
float32 = DType("float32", 4, "f")
float64 = DType("float64", 8, "d")

ALL = (bool_, uint8, int8, int16, int32, int64, float16, float32, float64)
BY_NAME = {dtype.name: dtype for dtype in ALL}


def as_dtype(dtype: DType | str) -> DType:
    """The dtype that a `DType` or a name such as "int64" stands for.

    Raises DTypeError for anything else.

    >>> as_dtype("float32").itemsize
    4
    """
    if isinstance(dtype, DType):
        return dtype
    found = BY_NAME.get(dtype) if isinstance(dtype, str) else None
    if found is None:
        raise DTypeError(
            f"{dtype!r} is not a dtype of stridekit. Choose one of {', '.join(BY_NAME)}."
        )
    return found
