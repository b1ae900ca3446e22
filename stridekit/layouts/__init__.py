"""Pure arithmetic on headers: tuples of int in, tuples of int out. Nothing is read or written."""
