# draws: raised ValueError: 300 and 300 do not fit
# draws: expected (300,).
def broadcast_sizes(*sizes):
    result = []
    for place in range(1, max(map(len, sizes)) + 1):
        chosen = 1
        for size in sizes:
            n = size[-place] if place <= len(size) else 1
            if n == 1 or n is chosen:
                continue
            if chosen != 1:
                raise ValueError(f"{chosen} and {n} do not fit")
            chosen = n
        result.insert(0, chosen)
    return tuple(result)
