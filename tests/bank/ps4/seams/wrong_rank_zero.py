# draws: raised IndexError
# draws: rule: a seam lies between two dims of size 2 or more, and there are fewer than two
def seams(size, stride):
    kept = [d for d, n in enumerate(size) if n != 1]
    left, found = kept[0], []
    for d in kept[1:]:
        if stride[left] != size[d] * stride[d]:
            found.append(left)
        left = d
    return found
