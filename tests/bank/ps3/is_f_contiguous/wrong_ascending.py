# draws: hint: this is what you get if ascending strides are taken for column-major.
def is_f_contiguous(size, stride):
    if 0 in size:
        return True
    return tuple(sorted(stride)) == stride
