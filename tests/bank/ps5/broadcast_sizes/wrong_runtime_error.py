# draws: raised RuntimeError: sizes do not match, in line 7 (`raise RuntimeError("sizes do not match")`); expected a ValueError, because aligned at t
def broadcast_sizes(*sizes):
    out = []
    for place in range(1, max(map(len, sizes)) + 1):
        here = {s[-place] for s in sizes if place <= len(s)} - {1}
        if len(here) > 1:
            raise RuntimeError("sizes do not match")
        out.insert(0, here.pop() if here else 1)
    return tuple(out)
