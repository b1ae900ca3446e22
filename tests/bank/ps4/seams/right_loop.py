def seams(size, stride):
    result = []
    left = None
    for d in range(len(size)):
        if size[d] == 1:
            continue
        if left is not None and stride[left] != size[d] * stride[d]:
            result.append(left)
        left = d
    return result
