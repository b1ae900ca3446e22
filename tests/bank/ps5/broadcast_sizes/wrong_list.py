# draws: a list. Return a tuple of ints: tuple(...) makes one
def broadcast_sizes(*sizes):
    out = []
    for place in range(1, max(map(len, sizes)) + 1):
        here = {s[-place] for s in sizes if place <= len(s)} - {1}
        if len(here) > 1:
            raise ValueError
        out.insert(0, here.pop() if here else 1)
    return out
