def is_dense(size, stride):
    dims = {dim for dim, n in enumerate(size) if n != 1}

    def flatten(rows, expected):
        if not rows:
            return True
        nexts = [dim for dim in rows if stride[dim] == expected]
        return any(flatten(rows - {dim}, expected * size[dim]) for dim in nexts)

    return 0 in size or flatten(dims, 1)
