from dataclasses import dataclass


@dataclass
class Run:
    numel: int
    step: int


def runs(dims):
    if not dims:
        return []
    (n, step), *rest = dims
    later = runs(rest)
    if n == 1:
        return later
    if later and step == later[0].numel * later[0].step:
        return [Run(n * later[0].numel, later[0].step)] + later[1:]
    return [Run(n, step)] + later


def fits(numels, sizes):
    if not numels:
        return all(n == 1 for n in sizes)
    if not sizes:
        return False
    first, *others = numels
    if first % sizes[0]:
        return False
    if first == sizes[0]:
        return fits(others, sizes[1:])
    return fits([first // sizes[0]] + others, sizes[1:])


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    return fits([run.numel for run in runs(list(zip(size, stride)))], list(new_size))
