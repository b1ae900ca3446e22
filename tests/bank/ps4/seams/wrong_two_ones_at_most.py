# draws: returned []; expected [0].
def seams(size, stride):
    out = []
    for d in range(len(size) - 1):
        if size[d] == 1:
            continue
        e = d + 1
        while e < min(len(size), d + 3) and size[e] == 1:
            e += 1
        if e < len(size) and size[e] != 1 and (stride[d] != size[e] * stride[e]):
            out.append(d)
    return out
