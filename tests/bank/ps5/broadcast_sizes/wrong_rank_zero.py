# draws: broadcast_sizes(()) raised IndexError
# draws: expected ()
def broadcast_sizes(*sizes):
    sizes = sorted(sizes, key=len)
    longest = list(sizes[-1])
    longest[-1] = longest[-1]
    for size in sizes:
        for place in range(1, len(size) + 1):
            if longest[-place] == 1:
                longest[-place] = size[-place]
            elif size[-place] not in (1, longest[-place]):
                raise ValueError
    return tuple(longest)
