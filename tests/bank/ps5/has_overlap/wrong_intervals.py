# draws: returned True; expected False.
from itertools import pairwise, product


def has_overlap(size, stride):
    if not size or 0 in size:
        return False
    starts = sorted(
        sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size[:-1]))
    )
    length = (size[-1] - 1) * stride[-1]
    stays = size[-1] > 1 and stride[-1] == 0
    return stays or any(after <= before + length for before, after in pairwise(starts))
