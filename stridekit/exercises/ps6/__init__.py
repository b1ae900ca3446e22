"""Assignment ps6: NumPy interop and speed."""
