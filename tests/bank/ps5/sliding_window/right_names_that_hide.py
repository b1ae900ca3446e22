def sliding_window(size, stride, dim, window, step):
    def check(rows=range(0, size[dim] - window + 1, step)):
        return len(rows)

    torch, np = [*size], [*stride]
    torch[dim] = check()
    np[dim] *= step
    torch.append(window)
    np.append(stride[dim])
    return (*torch,), (*np,)
