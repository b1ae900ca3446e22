# draws: raised ValueError: 300 to 300
# draws: expected (1,).
def expand(size, stride, new_size):
    lead = len(new_size) - len(size)
    if lead < 0:
        raise ValueError("dims would be lost")
    result, right = [], 0
    for dim in range(len(new_size) - 1, -1, -1):
        wanted = new_size[dim]
        n, step = (size[dim - lead], stride[dim - lead]) if dim >= lead else (1, right)
        if dim >= lead and wanted == -1:
            wanted = n
        if wanted is not n:
            if n != 1 or wanted < 0:
                raise ValueError(f"{n} to {wanted}")
            step = 0
        result.insert(0, step)
        right = wanted * step
    return tuple(result)
