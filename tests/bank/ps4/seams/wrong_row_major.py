# draws: hint: this is what you get if strides are held against row-major ones
import math


def seams(size, stride):
    kept = [d for d, n in enumerate(size) if n > 1]
    return [d for d in kept[:-1] if stride[d] != math.prod(size[d + 1:])]
