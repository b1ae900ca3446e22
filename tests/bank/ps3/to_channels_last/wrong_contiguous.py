# draws: called Tensor.contiguous in line 4. to_channels_last has to order the memory itself: that call takes a memory_format, and would do the exerc
def to_channels_last(tensor):
    nhwc = tensor.permute(0, 2, 3, 1)
    return nhwc.contiguous().permute(0, 3, 1, 2)
