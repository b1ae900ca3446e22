# draws: returned [65535, 49999, 34463]; expected [65535, 115535, 165535]
from array import array


def reading_order(size, stride, storage_offset):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    return list(array("H", [p & 0xFFFF for p in positions]))
