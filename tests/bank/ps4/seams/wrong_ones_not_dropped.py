# draws: hint: this is what you get if dims of size 1 are not dropped
def seams(size, stride):
    return [d for d in range(len(size) - 1) if stride[d] != size[d + 1] * stride[d + 1]]
