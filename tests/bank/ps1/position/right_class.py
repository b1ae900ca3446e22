from dataclasses import dataclass


@dataclass
class Pointer:
    at: int

    def to(self, i, step):
        return Pointer(self.at + i * step)

    def item(self):
        return self.at


def position(index, stride, storage_offset):
    pointer = Pointer(storage_offset)
    for i, step in zip(index, stride):
        pointer = pointer.to(i, step)
    return pointer.item()
