# draws: start at storage_offset, and go index[dim] × stride[dim] further in each dim
from ctypes import c_int32


def position(index, stride, storage_offset):
    return c_int32(storage_offset + sum(i * s for i, s in zip(index, stride))).value
