def view_dtype(size, stride, storage_offset, itemsize, new_itemsize):
    shift = itemsize.bit_length() - new_itemsize.bit_length()

    def to(number):
        if shift < 0 and number % (1 << -shift):
            raise ValueError(f"{number} does not divide")
        return number << shift if shift >= 0 else number >> -shift

    match size, stride:
        case _ if shift == 0:
            return size, stride, storage_offset
        case (*outer, last), (*steps, 1):
            return (*outer, to(last)), (*map(to, steps), 1), to(storage_offset)
    raise ValueError("no last dim that goes byte after byte")
