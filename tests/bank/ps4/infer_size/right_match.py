from collections import Counter
import functools


def infer_size(numel, size):
    match Counter((n for n in size if n < 0)):
        case c if not c:
            if functools.reduce(int.__mul__, size, 1) == numel:
                return size
        case c if c == {-1: 1}:
            view = size.index(-1)
            np = [*size[:view], *size[view + 1:]]
            rows = 1
            for check in np:
                rows *= check
            if rows and (not numel % rows):
                return (*size[:view], numel // rows, *size[view + 1:])
    raise ValueError(size)
