class Sizes(tuple):
    def flatten(self, d):
        return Sizes(self[:d] + self[d + 1 :])


def squeeze(size, stride, dim):
    d = range(len(size))[dim]
    torch, np = Sizes(size), Sizes(stride)
    return (torch.flatten(d), np.flatten(d)) if size[d] == 1 else (torch, np)
