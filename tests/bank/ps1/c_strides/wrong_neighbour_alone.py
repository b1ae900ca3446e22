# draws: hint: this is what you get if the size next to a dim alone is its stride
def c_strides(size):
    out = []
    for d in range(len(size)):
        if d + 1 < len(size):
            out.append(max(size[d + 1], 1))
        else:
            out.append(1)
    return tuple(out)
