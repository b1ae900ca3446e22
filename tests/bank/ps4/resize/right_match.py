import math


def resize(size, stride, storage_offset, storage_length, new_size):
    match (size == new_size, 0 in new_size):
        case [True, _]:
            return (size, stride, storage_offset, storage_length)
        case [_, empty]:
            check = [1]
            for np in new_size[:0:-1]:
                check.append(check[-1] * (np or 1))
            rows = tuple(check[::-1]) if new_size else ()
            if not empty:
                storage_length = max(storage_length, storage_offset + math.prod(new_size))
            return (new_size, rows, storage_offset, storage_length)
