# draws: hint: this is what you get if the dims are numbered anew
def seams(size, stride):
    dims = [(n, s) for n, s in zip(size, stride) if n != 1]
    return [d for d in range(len(dims) - 1) if dims[d][1] != dims[d + 1][0] * dims[d + 1][1]]
