import itertools


def resize(size, stride, storage_offset, storage_length, new_size):
    if size == new_size:
        return (size, stride, storage_offset, storage_length)
    out = []
    step = 1
    for n in reversed(new_size):
        out.append(step)
        step *= n if n else 1
    st = tuple(reversed(out))
    positions = [storage_offset + sum((i * s for i, s in zip(ix, st))) for ix in itertools.product(*map(range, new_size))]
    return (new_size, st, storage_offset, max([storage_length, *(p + 1 for p in positions)]))
