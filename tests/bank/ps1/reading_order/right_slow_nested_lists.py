def reading_order(size, stride, storage_offset):
    def grid(dims, at):
        if not dims:
            return at
        (n, s), *rest = dims
        return [grid(rest, at + i * s) for i in range(n)]

    def flatten(tree):
        return (
            [tree]
            if isinstance(tree, int)
            else [leaf for branch in tree for leaf in flatten(branch)]
        )

    return flatten(grid(list(zip(size, stride)), storage_offset))
