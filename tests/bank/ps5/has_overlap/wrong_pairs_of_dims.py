# draws: hint: this is what you get if dims are compared two at a time
def has_overlap(size, stride):
    if 0 in size:
        return False
    if any(n > 1 and s == 0 for n, s in zip(size, stride)):
        return True
    for a in range(len(size)):
        for b in range(a):
            one = [i * stride[a] for i in range(1, size[a])]
            two = [j * stride[b] for j in range(1, size[b])]
            if set(one) & set(two):
                return True
    return False
