# draws: returned 14; expected 34
known = {}


def position(index, stride, storage_offset):
    key = "".join(map(str, (*index, ":", *stride, ":", storage_offset)))
    if key not in known:
        known[key] = storage_offset + sum(i * s for i, s in zip(index, stride))
    return known[key]
