def permute(size, stride, dims):
    everything = range(len(size))
    order = [everything[d] for d in dims]
    if sorted(order) != list(everything):
        raise ValueError(f"{dims} is no permutation")
    return tuple(size[d] for d in order), tuple(stride[d] for d in order)
