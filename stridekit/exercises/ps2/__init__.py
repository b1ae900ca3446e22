"""Assignment ps2: operations on headers."""
