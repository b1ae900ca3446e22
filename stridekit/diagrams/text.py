"""A scene as text: for terminals, screen readers and tests."""

from stridekit.diagrams.scene import Break, Grid, Scene, Strip

# The address and the value rows of a strip wrap together, at so many positions.
PER_ROW = 16


def to_text(scene: Scene) -> str:
    """The scene as lines of text."""
    return "\n".join([*_grid_lines(scene.grid), "", *_strip_lines(scene.strip)])


def _grid_lines(grid: Grid) -> list[str]:
    lines = [grid.title, ""]
    if not grid.cells:
        return [*lines, "  (0 elements)"]
    down = [label.text for label in grid.dims if not label.across]
    across = [label.text for label in grid.dims if label.across]
    width = max(len(cell.text) for cell in grid.cells)
    texts = [["⋯".rjust(width)] * grid.columns for _ in range(grid.rows)]
    for cell in grid.cells:
        texts[cell.row][cell.column] = cell.text.rjust(width)
    margin = max(map(len, down), default=0)
    lines += [f"{'':{margin}}   {label}" for label in across]
    for row, cells in enumerate(texts):
        label = down[0] if down and row == (grid.rows - 1) // 2 else ""
        lines.append(f"{label:{margin}} │ {'  '.join(cells)}")
    return lines


def _strip_lines(strip: Strip) -> list[str]:
    lines = [strip.title]
    columns: list[tuple[str, str]] = []
    for slot in strip.slots:
        if isinstance(slot, Break):
            columns.append(("⋯", f"⋯ {slot.count:,} more ⋯"))
        else:
            # A position that the tensor does not reach stands in brackets: no colour needed.
            value = slot.text if slot.group is not None else f"[{slot.text}]"
            columns.append((str(slot.address), value))
    for start in range(0, len(columns), PER_ROW):
        row = columns[start : start + PER_ROW]
        widths = [max(map(len, column)) for column in row]
        for name, texts in zip(("position", "value"), zip(*row, strict=True), strict=True):
            cells = (text.rjust(width) for text, width in zip(texts, widths, strict=True))
            lines.append(f"{name:9}{'  '.join(cells)}")
    if not columns:
        lines.append("(empty)")
    return lines
