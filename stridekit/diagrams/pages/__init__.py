"""Where everything stands, and how it looks: a `Scene` to a page."""
