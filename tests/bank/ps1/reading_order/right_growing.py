def reading_order(size, stride, storage_offset):
    block = [0]
    for d, n in sorted(enumerate(size), reverse=True):
        block = [i * stride[d] + rest for i in range(n) for rest in block]
    return [storage_offset + b for b in block]
