"""Assignment ps5: broadcasting and overlap."""
