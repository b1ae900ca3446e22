# draws: returned (0, 6, 6, 2); expected (6, 6, 6, 2).
def expand(size, stride, new_size):
    lead = len(new_size) - len(size)
    if lead < 0 or any(n < 0 for n in new_size[:lead]):
        raise ValueError("no")
    result, kept = [], []
    for n, step, wanted in zip(size, stride, new_size[lead:]):
        if wanted not in (-1, n) and (n != 1 or wanted < 0):
            raise ValueError("no")
        result.append(step if wanted in (-1, n) else 0)
        kept.append(n if wanted == -1 else wanted)
    if lead == 0:
        return tuple(result)
    near = kept[0] * result[0] if new_size[lead - 1] == 1 else 0
    if lead == 1:
        return (near, *result)
    far = new_size[lead - 1] * near if new_size[lead - 2] == 1 else 0
    return (*[0] * (lead - 2), far, near, *result)
