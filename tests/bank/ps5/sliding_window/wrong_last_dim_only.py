# draws: sliding_window(size=(3, 1), stride=(1, 1), dim=0, window=2, step=1) returned
# draws: wrong in size
def sliding_window(size, stride, dim, window, step):
    count = (size[-1] - window) // step + 1
    return size[:-1] + (count, window), stride[:-1] + (stride[-1] * step, stride[-1])
