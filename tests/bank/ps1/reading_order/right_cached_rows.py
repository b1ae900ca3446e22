from functools import cache


@cache
def rows(size, stride):
    if not size:
        return (0,)
    return tuple(i * stride[0] + p for i in range(size[0]) for p in rows(size[1:], stride[1:]))


def reading_order(size, stride, storage_offset):
    return [storage_offset + p for p in rows(size, stride)]
