# draws: returned (1, 2, 1024, 4, 8, 16, 32, 64, 128, 256, 512); expected (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
def f_strides(size):
    steps, step = {}, 1
    for d, n in enumerate(size):
        steps[f"dim{d}"] = step
        step *= n or 1
    return tuple(steps[d] for d in sorted(steps))
