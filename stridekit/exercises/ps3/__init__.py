"""Assignment ps3: contiguity."""
