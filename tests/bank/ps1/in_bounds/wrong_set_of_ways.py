# draws: returned True; expected False
# draws: hint: this is what you get if each dim is looked at by itself
def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    ways = {(n - 1) * s for n, s in zip(size, stride)}
    low = storage_offset + sum(way for way in ways if way < 0)
    high = storage_offset + sum(way for way in ways if way > 0)
    return low >= 0 and high < storage_length
