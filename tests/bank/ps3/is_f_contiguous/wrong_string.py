# draws: returned 'True', a str. Return a bool. Expected here: True.
def is_f_contiguous(size, stride):
    expected = 1
    for n, s in zip(size, stride):
        if n != 1 and s != expected and 0 not in size:
            return "False"
        expected *= n
    return "True"
