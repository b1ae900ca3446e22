# draws: returned ((4, 2, 3), (2, 1, 8)); expected ((3, 4, 2), (8, 2, 1))
# draws: from the inverse permutation. dims[i] says where new dim
def permute(size, stride, dims):
    r = len(size)
    o = [range(r)[d] for d in dims]
    if sorted(o) != list(range(r)):
        raise ValueError
    return tuple(n for _, n in sorted(zip(o, size))), tuple(s for _, s in sorted(zip(o, stride)))
