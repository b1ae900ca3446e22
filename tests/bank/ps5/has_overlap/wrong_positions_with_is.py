# draws: hint: this is what you get if positions are compared with `is`, which is only sure to work up to 256. With == any two numbers can be compare
# draws: returned False; expected True.
from itertools import product


def has_overlap(size, stride):
    seen = []
    for index in product(*map(range, size)):
        position = sum(i * s for i, s in zip(index, stride))
        if any(position is other for other in seen):
            return True
        seen.append(position)
    return False
