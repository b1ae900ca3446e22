# draws: returned [(0, 1)]
def seams(size, stride):
    kept = [d for d, n in enumerate(size) if n != 1]
    return [(a, b) for a, b in zip(kept, kept[1:]) if stride[a] != size[b] * stride[b]]
