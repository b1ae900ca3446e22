# draws: returned True; expected False.
def isContiguous(tensor):
    if tensor.numel() == 0:
        return True
    # In descending order, and as many positions as elements.
    kept = [(n, step) for n, step in zip(tensor.shape, tensor.stride()) if n > 1]
    steps = [step for _, step in kept]
    reach = 1 + sum((n - 1) * step for n, step in kept)
    return steps == sorted(set(steps), reverse=True) and reach == tensor.numel()
