def unravel(flat, size):
    class Node:
        def __init__(self, size):
            self.size = size

        def numel(self):
            return self.size[0] * Node(self.size[1:]).numel() if self.size else 1

        def select(self, flat):
            if not self.size:
                return ()
            inner = Node(self.size[1:])
            i, rest = divmod(flat, inner.numel())
            return (i,) + inner.select(rest)

    return Node(size).select(flat)
