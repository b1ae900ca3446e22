# draws: changed a itself. Leave the argument as it was given
def shares_memory(a, b):
    before = b.tolist()
    a.fill_(7)
    return b.tolist() != before
