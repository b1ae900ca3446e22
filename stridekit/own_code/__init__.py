"""stridekit on somebody's own code: `watch`, and what `%load_ext stridekit` shows.

Nothing here is loaded before it is asked for, and everything but this line needs torch or
IPython.
"""
