def expand(size, stride, new_size):
    np = len(new_size) - len(size)
    if np < 0:
        raise ValueError("too short")
    torch, check = [], 0
    for rows, storage in enumerate(new_size[::-1]):
        if rows < len(size):
            n, step = size[~rows], stride[~rows]
            draw = n if storage == -1 else storage
        else:
            n, step, draw = 1, check, storage
        if draw != n:
            if n - 1 or draw < 0:
                raise ValueError(f"{n} to {draw}")
            step = 0
        torch.append(step)
        check = draw * step
    torch.reverse()
    return tuple(torch)
