# draws: hint: this is what you get if all dims have to merge into one
def can_view(size, stride, new_size):
    if 0 in size:
        return True
    dims = [(n, s) for n, s in zip(size, stride) if n != 1]
    return all(a[1] == b[0] * b[1] for a, b in zip(dims, dims[1:]))
