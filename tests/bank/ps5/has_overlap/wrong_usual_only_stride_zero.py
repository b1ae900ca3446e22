# draws: hint: this is what you get if only stride 0 is taken for overlap
# draws: rule: it overlaps if two indices share a position, and the indices
def has_overlap(size, stride):
    if 0 in size:
        return False
    return any(n > 1 and s == 0 for n, s in zip(size, stride))
