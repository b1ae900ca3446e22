"""Assignment ps6: NumPy interop and speed."""

from stridekit.exercises.ps6_arrays import ELEMENT_STRIDES, NUMPY_FLAGS
from stridekit.exercises.ps6_dtypes import VIEW_DTYPE
from stridekit.exercises.ps6_images import LOAD_IMAGE
from stridekit.exercises.ps6_lines import LINE_SWITCHES, LINES_TOUCHED
from stridekit.exercises.ps6_sharing import SHARES_MEMORY

EXERCISES = (
    *(ELEMENT_STRIDES, NUMPY_FLAGS),
    *(SHARES_MEMORY, VIEW_DTYPE),
    *(LINES_TOUCHED, LINE_SWITCHES),
    LOAD_IMAGE,
)
