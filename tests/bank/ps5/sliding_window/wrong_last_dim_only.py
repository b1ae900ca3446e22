# draws: sliding_window(size=(5, 2), stride=(2, 1), dim=0, window=3, step=2) returned
# draws: hint: this is what you get if it is always the last dim that is cut
# draws: wrong in size
def sliding_window(size, stride, dim, window, step):
    count = (size[-1] - window) // step + 1
    return size[:-1] + (count, window), stride[:-1] + (stride[-1] * step, stride[-1])
