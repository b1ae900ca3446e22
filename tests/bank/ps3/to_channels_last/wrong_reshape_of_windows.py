# draws: is not channels_last
# draws: hint: this is what you get with reshape. It copies only what it has to
# reshape does not copy where it need not: elements two apart stay two apart.
def to_channels_last(tensor):
    n, c, h, w = tensor.size()
    flat = tensor.permute(0, 2, 3, 1).reshape(-1)
    return flat.view(n, h, w, c).permute(0, 3, 1, 2)
