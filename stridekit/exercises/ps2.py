"""Assignment ps2: header-only operations."""

from stridekit.exercises.ps2_diagonal import DIAGONAL
from stridekit.exercises.ps2_reordering import PERMUTE, TRANSPOSE
from stridekit.exercises.ps2_select import SELECT
from stridekit.exercises.ps2_slice_dim import SLICE_DIM
from stridekit.exercises.ps2_squeezing import SQUEEZE, UNSQUEEZE

EXERCISES = (SELECT, SLICE_DIM, TRANSPOSE, PERMUTE, UNSQUEEZE, SQUEEZE, DIAGONAL)
