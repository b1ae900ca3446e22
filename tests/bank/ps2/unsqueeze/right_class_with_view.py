class View:
    def __init__(self, size, stride):
        self._s, self._t = size, stride

    def size(self):
        return self._s

    def stride(self):
        return self._t

    def view(self, d):
        rank = len(self._s)
        own = 1
        if d < rank:
            own = self._s[d] * self._t[d]
        return View(self._s[:d] + (1,) + self._s[d:], self._t[:d] + (own,) + self._t[d:])


def unsqueeze(size, stride, dim):
    t = View(size, stride)
    if dim < -len(size) - 1 or dim > len(size):
        raise IndexError("no")
    t = t.view(dim if dim >= 0 else dim + len(size) + 1)
    return t.size(), t.stride()
