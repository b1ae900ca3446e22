"""Headers without tensors: what is kept of a tensor that was seen, so that it can be let go."""

from math import prod
from typing import Any, NamedTuple

from stridekit.layouts.layout import Ints, Layout, count
from stridekit.layouts.memory_formats import channels_last, channels_last_3d, follows
from stridekit.tensors.interop import Subject


class Header(NamedTuple):
    """A tensor's header: sizes, strides and offset in elements; its storage's size in bytes.

    >>> Header((2, 3), (1, 2), 0, "float32", 4, 24, "cpu").nbytes
    24
    """

    size: Ints
    stride: Ints
    storage_offset: int
    dtype: str
    itemsize: int
    storage_nbytes: int
    device: str

    @property
    def layout(self) -> Layout:
        """The header as a layout."""
        return Layout(self.size, self.stride, self.storage_offset)

    @property
    def nbytes(self) -> int:
        """How many bytes its elements take, each counted: numel x itemsize."""
        return prod(self.size) * self.itemsize

    @property
    def span(self) -> tuple[int, int]:
        """The bytes of its storage that elements reach: the first, and the one after the last."""
        if (reach := self.layout.reach) is None:
            return 0, 0
        return reach[0] * self.itemsize, (reach[1] + 1) * self.itemsize

    @property
    def channels_last(self) -> str:
        """`channels_last` or `channels_last_3d`, if it is in that, and not contiguous; or empty."""
        layout = self.layout
        names = (each.name for each in (channels_last, channels_last_3d) if follows(layout, each))
        return "" if layout.is_contiguous else "".join(names)

    def subject(self, address: int = 1) -> Subject:
        """What can be drawn of it: all but the values. Those of one address share a storage."""
        layout = self.layout
        return Subject(
            library="torch",
            layout=layout,
            dtype=self.dtype,
            itemsize=self.itemsize,
            storage_length=max(self.storage_nbytes, self.span[1]) // self.itemsize,
            storage_address=address,
            base=layout,
            bytes_at=lambda places, width: bytes(len(places) * width),
            decode=lambda raw: [0] * (len(raw) // self.itemsize),
        )

    def to_dict(self) -> dict[str, Any]:
        """The header as plain data."""
        return self._asdict() | {"size": list(self.size), "stride": list(self.stride)}

    def __str__(self) -> str:
        offset = f", storage_offset {self.storage_offset}" if self.storage_offset else ""
        return f"size {self.size}, stride {self.stride}{offset}"


def in_bytes(nbytes: int) -> str:
    """A number of bytes as people read it.

    >>> in_bytes(640), in_bytes(36864), in_bytes(5 * 1024**3)
    ('640 bytes', '36.0 KiB', '5.0 GiB')
    """
    if nbytes < 1024:
        return count(nbytes, "byte")
    power = min((nbytes.bit_length() - 1) // 10, 4)
    return f"{nbytes / 1024**power:.1f} {('KiB', 'MiB', 'GiB', 'TiB')[power - 1]}"
