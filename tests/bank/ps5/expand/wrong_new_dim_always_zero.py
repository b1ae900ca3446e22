# draws: hint: this is what you get if every new dim gets stride 0
# draws: is new, of size 1, and gets size × stride of the dim to its right, 2 × 1 = 2
def expand(size, stride, new_size):
    lead = len(new_size) - len(size)
    if lead < 0 or any(m < 0 for m in new_size[:lead]):
        raise ValueError
    steps = [0] * lead
    for n, s, m in zip(size, stride, new_size[lead:]):
        if m in (-1, n):
            steps.append(s)
        elif n == 1 and m >= 0:
            steps.append(0)
        else:
            raise ValueError
    return tuple(steps)
