# draws: hint: this is what you get if a row is only compared with the next one. Rows can also meet that are further apart.
# draws: returned False; expected True.
from itertools import pairwise, product


def has_overlap(size, stride):
    if not size or 0 in size:
        return False
    rows = []
    for index in product(*map(range, size[:-1])):
        start = sum(i * s for i, s in zip(index, stride))
        rows.append({start + i * stride[-1] for i in range(size[-1])})
    return any(len(row) < size[-1] for row in rows) or any(a & b for a, b in pairwise(rows))
