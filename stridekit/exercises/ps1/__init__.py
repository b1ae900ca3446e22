"""Assignment ps1: storage, index, order."""
