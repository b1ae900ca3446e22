"""Which dim of a tensor is which in a picture: H the rows, W the columns, C the channels, N images.

The words are those of memory formats: an image in torch is CHW, in files and in NumPy HWC.
"""

from typing import NamedTuple

from stridekit.diagrams.scenes.captions import tuple_text
from stridekit.errors import ArgumentError
from stridekit.layouts.layout import Ints, Layout

# Grey; red, green and blue; the same with how opaque a pixel is.
CHANNELS = (1, 3, 4)
# What a size without names may be: by rank, what it is if the channels fit.
_USUAL = {2: ("HW",), 3: ("HWC", "CHW"), 4: ("NHWC", "NCHW")}


class PixelDims(NamedTuple):
    """A letter for each dim; `guessed` where nobody said so, and the size allows no other."""

    letters: str
    guessed: bool

    def text(self) -> str:
        """As one says it.

        >>> PixelDims("HWC", True).text()
        'read as H, W, C'
        """
        return ("read as " if self.guessed else "") + ", ".join(self.letters)


class Image(NamedTuple):
    """One image of a tensor: size and stride of its rows, columns and channels, in elements."""

    rows: int
    columns: int
    channels: int
    row_stride: int
    column_stride: int
    channel_stride: int
    offset: int

    @property
    def layout(self) -> Layout:
        """Its header in the order H, W, C."""
        return Layout(
            (self.rows, self.columns, self.channels),
            (self.row_stride, self.column_stride, self.channel_stride),
            self.offset,
        )


def pixel_dims(call: str, size: Ints, dims: object) -> PixelDims:
    """Which dim is which: as said, or as the size alone allows.

    Two dims are H, W. Of three or four, the last one or the one before H and W are the channels,
    whichever has size 1, 3 or 4; if both have, somebody has to say. Raises ArgumentError.

    >>> pixel_dims("draw_pixels", (64, 96, 3), None).letters
    'HWC'
    """
    if dims is not None:
        letters = _said(call, size, dims)
        _require_channels(call, size, letters)
        return PixelDims(letters, guessed=False)
    usual = _USUAL.get(len(size), ())
    if not usual:
        raise ArgumentError(
            f"{call}: size {tuple_text(size)} has {_dims(len(size))}, and a picture has rows and "
            'columns at least. Give it a size, such as size=(8, 12), or name its dims: dims="HW".'
        )
    fitting = [each for each in usual if _channels(size, each) in CHANNELS]
    if len(fitting) == 1:
        return PixelDims(fitting[0], guessed=True)
    ways = " or ".join(f'dims="{each}"' for each in usual)
    why = (
        f"may be {' or '.join(usual)}"
        if fitting
        else f"has 1, 3 or 4 channels in no place where {' or '.join(usual)} have them"
    )
    way_out = f"Say which: {ways}."
    if not fitting:
        way_out = "Draw one image or one channel of it, x[0], or name its dims."
    raise ArgumentError(f"{call}: size {tuple_text(size)} {why}. {way_out}")


def _said(call: str, size: Ints, dims: object) -> str:
    """The letters that somebody gave. Raises ArgumentError."""
    letters = dims.upper() if isinstance(dims, str) else ""
    if not {"H", "W"} <= set(letters) <= set("NCHW") or len(set(letters)) != len(letters):
        raise ArgumentError(
            f"{call}: dims names each dim by a letter: H for rows and W for columns, C for "
            f'channels, N for images, each once; and not {dims!r:.40}. "HWC", "CHW" and "NCHW" '
            "are usual."
        )
    if len(letters) != len(size):
        raise ArgumentError(
            f'{call}: dims="{letters}" names {_dims(len(letters))}, and size {tuple_text(size)} '
            f"has {len(size)}."
        )
    return letters


def _require_channels(call: str, size: Ints, letters: str) -> None:
    channels = _channels(size, letters)
    if channels not in CHANNELS:
        dim = letters.index("C")
        raise ArgumentError(
            f'{call}: as "{letters}", size {tuple_text(size)} has {channels} channels in dim '
            f"{dim}, and a picture has 1, 3 or 4: grey, or red, green and blue, or these and how "
            f"opaque. Draw one channel: x.select({dim}, 0)."
        )


def _channels(size: Ints, letters: str) -> int:
    return size[letters.index("C")] if "C" in letters else 1


def _dims(n: int) -> str:
    return f"{n} dim" if n == 1 else f"{n} dims"


def images_of(layout: Layout, letters: str) -> tuple[int, int]:
    """How many images a tensor has, and how far they lie apart, in elements."""
    if "N" not in letters:
        return 1, 0
    dim = letters.index("N")
    return layout.size[dim], layout.stride[dim]


def image_of(layout: Layout, letters: str, number: int = 0) -> Image:
    """One image of a tensor, as rows, columns and channels.

    >>> image_of(Layout.of((3, 64, 96)), "CHW")[:6]
    (64, 96, 3, 96, 1, 6144)
    """

    def of(letter: str) -> tuple[int, int]:
        if letter not in letters:
            return 1, 0
        dim = letters.index(letter)
        return layout.size[dim], layout.stride[dim]

    (rows, down), (columns, right), (channels, deep) = of("H"), of("W"), of("C")
    _, apart = images_of(layout, letters)
    return Image(rows, columns, channels, down, right, deep, layout.storage_offset + number * apart)
