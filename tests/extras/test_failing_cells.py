"""The table of cells that people ask about: what is said of each; the way out, pasted and run."""

import ast
import traceback

import pytest

from stridekit.own_code.failures import reason_of
from tests.extras.cells import failing_cells, failure, run

ROWS = list(failing_cells())


def pasted(cell, reason):
    """The cell, with the way out in place of what failed, or on the line before it."""

    class Paste(ast.NodeTransformer):
        """Swaps one expression or statement, wherever it stands."""

        done = False

        def generic_visit(self, node):
            node = super().generic_visit(node)
            for name, block in ast.iter_fields(node):
                if reason.first and isinstance(block, list):
                    setattr(node, name, [new for part in block for new in self.before(part)])
            return node

        def before(self, part):
            holds = isinstance(part, ast.stmt) and any(
                ast.unparse(inner) == reason.expression for inner in ast.walk(part)
            )
            if self.done or not holds:
                return [part]
            self.done = True
            return [*ast.parse(reason.first).body, part]

        def visit(self, node):
            if reason.first or ast.unparse(node) != reason.expression:
                return super().visit(node)
            self.done = True
            (new,) = ast.parse(reason.instead).body
            return new.value if isinstance(node, ast.expr) else new

    paste = Paste()
    tree = ast.fix_missing_locations(paste.visit(ast.parse(cell)))
    assert paste.done, reason.expression
    return ast.unparse(tree)


@pytest.mark.parametrize(("family", "cell", "facts", "ways"), ROWS)
def test_what_is_said_of_a_cell(family, cell, facts, ways):
    """The facts are named; and the way out, pasted into the cell, runs."""
    error = failure(cell)
    # As a notebook does beforehand; it leaves promises of text in linecache.
    traceback.format_exception(error)
    reason = reason_of(error)
    if family == "silent":
        assert reason is None
        return
    assert facts
    assert all(fact in reason.sentence for fact in facts), reason.sentence
    way = reason.instead or reason.first
    assert ways in ([], [way])
    if way:
        run(pasted(cell, reason))


def test_two_hundred_cells_are_told():
    """And some in which something else was the matter."""
    families = [family for family, *_ in ROWS]
    assert len(families) - families.count("silent") >= 200
    assert families.count("silent") >= 30
