# draws: returned True; expected False
# draws: hint: this is what you get if the right number of elements is enough
import math


def can_view(size, stride, new_size):
    return math.prod(size) == math.prod(new_size)
