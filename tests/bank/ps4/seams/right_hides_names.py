def seams(size, stride):
    def rows():
        np = None
        for check in range(len(size)):
            if size[check] == 1:
                continue
            if np is not None and stride[np] ^ size[check] * stride[check]:
                yield np
            np = check
    return list(rows())
