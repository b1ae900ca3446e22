def reading_order(size, stride, storage_offset):
    if 0 in size:
        return []
    index = [0] * len(size)
    at = storage_offset
    out = [at]
    while True:
        d = len(size) - 1
        # turn back every wheel that is at its end
        while d >= 0 and index[d] == size[d] - 1:
            at -= index[d] * stride[d]
            index[d] = 0
            d -= 1
        if d < 0:
            return out
        index[d] += 1
        at += stride[d]
        out.append(at)
