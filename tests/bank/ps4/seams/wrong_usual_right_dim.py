# draws: returned [1]; expected [0]
# draws: hint: this is what you get if the right dim of each pair is listed
def seams(size, stride):
    kept = [d for d in range(len(size)) if size[d] != 1]
    return [b for a, b in zip(kept, kept[1:]) if stride[a] != size[b] * stride[b]]
