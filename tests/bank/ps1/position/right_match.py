def position(index, stride, storage_offset):
    match index, stride:
        case (), ():
            return storage_offset
        case (i, *index), (step, *stride):
            return position(tuple(index), tuple(stride), storage_offset + i * step)
