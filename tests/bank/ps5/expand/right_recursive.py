def expand(size, stride, new_size):
    match size, new_size:
        case (_, ()) if size:
            raise ValueError("too few sizes")
        case ((*_, n), (*_, m)):
            if m not in (-1, n) and (n != 1 or m < 0):
                raise ValueError(f"{n} to {m}")
            here = (stride[-1] if m in (-1, n) else 0,)
            if len(size) == 1:
                m = n if m == -1 else m
                return leading(new_size[:-1], m * here[0]) + here
            return expand(size[:-1], stride[:-1], new_size[:-1]) + here


def leading(sizes, step):
    if not sizes:
        return ()
    if sizes[-1] < 0:
        raise ValueError("new dims need a size")
    return leading(sizes[:-1], step if sizes[-1] == 1 else 0) + (step if sizes[-1] == 1 else 0,)
