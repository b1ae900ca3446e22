from dataclasses import dataclass


@dataclass
class Header:
    size: tuple
    stride: tuple
    offset: int

    def starts(self, itemsize):
        count = 1
        for n in self.size:
            count *= n
        for flat in range(count):
            place = self.offset
            for n, s in zip(reversed(self.size), reversed(self.stride)):
                flat, i = divmod(flat, n)
                place += i * s
            yield place * itemsize


def lines_touched(size, stride, storage_offset, itemsize, line):
    starts = sorted(Header(size, stride, storage_offset).starts(itemsize))
    count, last = 0, None
    for start in starts:
        if start // line != last:
            count, last = count + 1, start // line
    return count
