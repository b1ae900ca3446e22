# draws: returned [1, 0]; expected [0, 1]
# draws: hint: this is what you get if the list runs from the right
def seams(size, stride):
    found = []
    right = None
    for d in reversed(range(len(size))):
        if size[d] == 1:
            continue
        if right is not None and stride[d] != size[right] * stride[right]:
            found.append(d)
        right = d
    return found
