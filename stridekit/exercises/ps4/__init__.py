"""Assignment ps4: view, reshape, resize_."""
