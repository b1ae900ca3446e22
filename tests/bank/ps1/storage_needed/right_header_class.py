from dataclasses import dataclass


@dataclass
class Header:
    size: tuple
    stride: tuple
    storage_offset: int

    @property
    def is_empty(self):
        return any(n == 0 for n in self.size)

    @property
    def last_position(self):
        at = self.storage_offset
        for d in range(len(self.size)):
            at += self.stride[d] * (self.size[d] - 1)
        return at


def storage_needed(size, stride, storage_offset):
    header = Header(size, stride, storage_offset)
    return 0 if header.is_empty else header.last_position + 1
