"""A picture of a face, 64 rows of 96 pixels: nothing in it is even, so every flip is seen.

It lies beside this file as `tools/paint_face.py` of the repository has painted it.
"""

from pathlib import Path

from stridekit.errors import ArgumentError, quoted
from stridekit.tensors.dtypes import uint8
from stridekit.tensors.tensor import Tensor, new

HEIGHT, WIDTH = 64, 96
# How much red, green and blue add to brightness, in thousandths (ITU-R BT.601).
LUMA = (299, 587, 114)


def face(dims: str = "HWC") -> Tensor:
    """A picture to try headers on: a new, contiguous uint8 tensor of a face.

    `dims` says which dims it has, in their order: "HWC" is size (64, 96, 3), pixel by pixel as
    files and screens have it; "CHW" is (3, 64, 96), channel by channel as torch has it; "HW" is
    (64, 96), in grey. Any other order of H and W, with C or without, is possible too. The
    channels are red, green and blue. Raises ArgumentError for other dims.

    >>> face().shape, face("CHW").stride(), face("HW").shape
    ((64, 96, 3), (6144, 96, 1), (64, 96))
    """
    if not isinstance(dims, str) or sorted(dims.upper()) not in (["H", "W"], ["C", "H", "W"]):
        raise ArgumentError(
            f"face: dims are the letters H and W, and C for colours, in their order, and not "
            f'{quoted(dims)}. Give "HWC", "CHW" or "HW".'
        )
    letters = dims.upper()
    if len(letters) == 3:
        whole = new((HEIGHT, WIDTH, 3), uint8, bytearray(_colours()))
        return whole.permute(*("HWC".index(letter) for letter in letters)).contiguous()
    grey = new((HEIGHT, WIDTH), uint8, bytearray(grey_of(_colours(), 3)))
    return grey if letters == "HW" else grey.t().contiguous()


def grey_of(pixels: bytes, channels: int) -> bytes:
    """How bright each pixel is whose first channels are red, green and blue.

    >>> [*grey_of(bytes((255, 0, 0, 255, 255, 255)), 3)]
    [76, 255]
    """
    parts = (pixels[channel::channels] for channel in range(3))
    return bytes(
        (LUMA[0] * red + LUMA[1] * green + LUMA[2] * blue + 500) // 1000
        for red, green, blue in zip(*parts, strict=True)
    )


def _colours() -> bytes:
    """The pixels of the file, which begins with a line about them."""
    return Path(__file__).with_name("face.ppm").read_bytes()[-HEIGHT * WIDTH * 3 :]
