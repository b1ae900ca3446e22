# draws: hint: this is what you get if every position is listed once
def reading_order(size, stride, storage_offset):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    seen = []
    for p in positions:
        if p not in seen:
            seen.append(p)
    return seen
