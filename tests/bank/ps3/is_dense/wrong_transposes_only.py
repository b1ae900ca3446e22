# draws: returned False; expected True.
# draws: hint: this is what you get if only row-major and column-major order are accepted.
def walk(pairs):
    expected = 1
    for n, step in pairs:
        if n != 1 and step != expected:
            return False
        expected *= n
    return True


def is_dense(size, stride):
    pairs = list(zip(size, stride))[::-1]
    if 0 in size or walk(pairs):
        return True
    # The other orders: two dims have changed places.
    for a in range(len(pairs)):
        for b in range(a):
            turned = list(pairs)
            turned[a], turned[b] = turned[b], turned[a]
            if walk(turned):
                return True
    return walk(pairs[::-1])
