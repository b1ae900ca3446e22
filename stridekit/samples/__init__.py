"""What ships to be looked at: pictures that are drawn by code, as tensors."""
