def infer_size(numel, size):
    hole = None
    known = 1
    for d in range(len(size)):
        n = size[d]
        if n == -1:
            if hole is not None:
                raise ValueError("only one -1 please")
            hole = d
        elif n < 0:
            raise ValueError("negative size")
        else:
            known = known * n
    result = list(size)
    if hole is None:
        if known != numel:
            raise ValueError("wrong number of elements")
    else:
        if known == 0:
            raise ValueError("the -1 could be anything")
        if numel % known != 0:
            raise ValueError("does not divide")
        result[hole] = numel // known
    return tuple(result)
