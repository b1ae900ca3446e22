"""What checks a function: its cases, the seam that they cross, its verdict, and what it says."""
