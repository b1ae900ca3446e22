# draws: hint: this is what you get if a repeated dim keeps its stride
# draws: goes from size 1 to
def expand(size, stride, new_size):
    lead = len(new_size) - len(size)
    if lead < 0:
        raise ValueError
    steps = []
    for n, s, m in zip(size, stride, new_size[lead:]):
        if m != -1 and m != n and (n != 1 or m < 0):
            raise ValueError
        steps.append(s)
    for m in new_size[:lead]:
        if m < 0:
            raise ValueError
        steps.insert(0, 0)
    return tuple(steps)
