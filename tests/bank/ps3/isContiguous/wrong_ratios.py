# draws: hint: this is what you get if neighbouring strides are compared, and nobody asks whether
def isContiguous(tensor):
    if tensor.numel() == 0:
        return True
    dims = [d for d in range(tensor.dim()) if tensor.size(d) > 1]
    size, stride = [tensor.size(d) for d in dims], [tensor.stride(d) for d in dims]
    for i in range(len(dims) - 1):
        if stride[i] != stride[i + 1] * size[i + 1]:
            return False
    return True
