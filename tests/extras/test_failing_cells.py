"""The table of cells that people ask about: what is said of each, and the way out, pasted and run."""

import ast

import pytest

from stridekit.own_code.failures import reason_of
from tests.extras.failing_cells import FAMILIES, failure, run

ROWS = [(family, *row) for family, rows in FAMILIES.items() for row in rows]


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


@pytest.mark.parametrize(("family", "cell", "facts"), [(f, c, x) for f, c, *x in ROWS])
def test_what_is_said_of_a_cell(family, cell, facts):
    """The facts are named; and the way out, pasted into the cell, runs."""
    reason = reason_of(failure(cell))
    assert reason is not None
    way = reason.instead or reason.first
    for fact in facts:
        if fact.startswith("-> "):
            assert way == fact[3:]
        else:
            assert fact in reason.sentence
    if way:
        run(pasted(cell, reason))
