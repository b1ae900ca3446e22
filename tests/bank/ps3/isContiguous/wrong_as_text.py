# draws: returned True; expected False.
def isContiguous(tensor):
    if not tensor.numel():
        return True
    wanted, step = "", 1
    given = ""
    for n, own in zip(reversed(tensor.shape), reversed(tensor.stride())):
        if n > 1:
            wanted, given = str(step) + wanted, str(own) + given
        step *= n
    return sorted(wanted) == sorted(given)
