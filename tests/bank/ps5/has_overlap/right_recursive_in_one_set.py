def has_overlap(size, stride):
    visited = set()

    def visit(dim, position):
        if dim == len(size):
            known = position in visited
            visited.add(position)
            return known
        return any(visit(dim + 1, position + i * stride[dim]) for i in range(size[dim]))

    return visit(0, 0)
