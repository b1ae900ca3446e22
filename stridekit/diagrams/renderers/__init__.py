"""What paints: a scene as text, a page as SVG or as a matplotlib figure."""
