def position(index, stride, storage_offset):
    rows = set()
    for np, (torch, check) in enumerate(zip(index, stride)):
        rows.add((np, torch * check))
    return storage_offset + sum(storage for _, storage in rows)
