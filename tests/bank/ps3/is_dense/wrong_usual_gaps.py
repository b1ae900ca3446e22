# draws: hint: this is what you get if gaps are ignored.
# draws: so there is a gap.
def is_dense(size, stride):
    # Non-overlapping: no dim steps back into what the faster dims have covered.
    covered = 1
    for s, n in sorted(zip(stride, size)):
        if n > 1:
            if s < covered:
                return 0 in size
            covered = s * n
    return True
