"""What a frame may have changed after an operation in it failed: names bound anew, headers moved.

A traceback keeps a frame as it is now, and not as it was when the operation failed. In between,
`except` and `finally` ran, and perhaps all that follows, if the exception was caught and kept.
What may have been changed there is not known any more.
"""

import ast
from collections.abc import Iterable, Iterator
from types import TracebackType

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)
_TRIES = (ast.Try, ast.TryStar)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def changed_afterwards(node: ast.AST, tb: TracebackType) -> frozenset[str]:
    """The names that may stand for something else now than when the node failed.

    Nodes know their `parent`, as `executing` leaves them.
    """
    # What is bound in the expression itself may have been read before.
    found = {n.target.id for n in ast.walk(node) if isinstance(n, ast.NamedExpr)}
    if tb.tb_frame.f_lasti != tb.tb_lasti:
        found |= set(_changed(_ran_after(node)))
    return frozenset(found)


def _ran_after(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that may have run after a node raised, in its own function."""
    child, caught = node, False
    while not isinstance(child, _SCOPES):
        above = getattr(child, "parent", None)
        if above is None:
            return
        if isinstance(above, _TRIES):
            if child in above.body:
                yield from above.handlers
                yield from above.orelse
                caught = caught or any(not _raises(handler) for handler in above.handlers)
            yield from above.finalbody
        elif caught and isinstance(above, _LOOPS):
            yield above
        elif caught:
            yield from _following(child, above)
        child = above


def _raises(handler: ast.ExceptHandler) -> bool:
    return isinstance(handler.body[-1], ast.Raise)


def _following(child: ast.AST, above: ast.AST) -> Iterator[ast.AST]:
    """The statements of a block that come after one of them."""
    for block in ("body", "orelse"):
        statements = getattr(above, block, None)
        if isinstance(statements, list) and child in statements:
            yield from statements[statements.index(child) + 1 :]


def _changed(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The names that some code binds, deletes, or changes in place."""
    for top in nodes:
        for node in ast.walk(top):
            match node:
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                    yield name
                case ast.ExceptHandler(name=str(name)):
                    yield name
                case ast.Subscript(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()):
                    yield from _owner(node)
                case ast.Call(func=ast.Attribute(attr=name)) if name.endswith("_"):
                    yield from _owner(node.func)


def _owner(node: ast.AST) -> Iterator[str]:
    """The name that an attribute or an item belongs to."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Name):
        yield node.id
