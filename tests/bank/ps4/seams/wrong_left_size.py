# draws: hint: this is what you get if the size of the left dim is used
def seams(size, stride):
    kept = [d for d, n in enumerate(size) if n > 1]
    return [a for a, b in zip(kept, kept[1:]) if stride[a] != size[a] * stride[b]]
