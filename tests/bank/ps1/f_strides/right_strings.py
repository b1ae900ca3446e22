def f_strides(size):
    text = ""
    out = []
    for n in size:
        out.append(eval(text + "1"))
        text += f"{n or 1}*"
    return tuple(out)
