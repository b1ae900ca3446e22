"""Sizes that do not fit: broadcasting, expand, assignment, products.

Each takes the operation and the message of the refusal, and gives the reason; or None where
headers do not bear it out. Raises Unknown where a tensor cannot be found.
"""

from stridekit.layouts.broadcasting import (
    ExpandObstacle,
    Misfit,
    broadcast_sizes,
    plan_expand,
)
from stridekit.own_code.operations import Operation
from stridekit.own_code.reasons import Reason
from stridekit.own_code.safe_lookup import Unknown
from stridekit.own_code.verdict_parts import distinct, drawn, layout_of, sizes_in, stopped

# The ranks that products by name take.
_PRODUCT_RANKS = {"mm": (2, 2), "addmm": (2, 2), "bmm": (3, 3), "mv": (2, 1), "dot": (1, 1)}


def expand_refused(operation: Operation, _: str) -> Reason | None:
    """Why `expand` or `broadcast_to` cannot repeat a dim."""
    if operation.name in ("[]=", "copy_"):
        return assign_refused(operation, "")
    if operation.name not in ("expand", "expand_as", "broadcast_to"):
        return None
    x = operation.receiver or operation.args[0]
    args = operation.args if operation.receiver else operation.args[1:]
    if not x.is_tensor:
        raise Unknown(x.text)
    if operation.name == "expand_as":
        size = tuple(args[0].value.shape)
    else:
        given = [a.value for a in args] or [
            v.value for k, v in operation.kwargs.items() if k in ("size", "shape")
        ]
        size = sizes_in(given)
    plan = plan_expand(layout_of(x), size)
    if not isinstance(plan, ExpandObstacle):
        return None
    return drawn(operation, plan.message, None, x)


def assign_refused(operation: Operation, _: str) -> Reason | None:
    """A value that does not broadcast to where it is to be written."""
    given = [each for each in operation.args if each.is_tensor]
    target = operation.receiver
    if not operation.in_place or target is None:
        return None
    if not target.is_tensor or not given:
        raise Unknown(operation.text)
    value = given[-1]
    into, size = tuple(target.value.shape), tuple(value.value.shape)
    outcome = broadcast_sizes(into, size)
    if not isinstance(outcome, Misfit) and outcome == into:
        return None
    said = (
        outcome.message
        if isinstance(outcome, Misfit)
        else f"the two broadcast to {outcome}, and what is written to keeps its size {into}"
    )
    sentence = (
        f"{target.name} has size {into}, and {value.name} size {size}. What is written is "
        f"expanded to the size of what it is written to: {said}"
    )
    return drawn(operation, stopped(sentence), None, target, value)


def broadcast_refused(operation: Operation, _: str) -> Reason | None:
    """Why the tensors of one operation do not broadcast."""
    if operation.in_place and operation.name != "add":
        found = assign_refused(operation, "")
        if found is not None:
            return found
    tensors = distinct(operation.tensors)
    if operation.name in ("@", "@=", "matmul"):
        return matmul_refused(operation, "")
    if operation.name in ("linear", "cat", "stack") or len(tensors) < 2:
        return None
    outcome = broadcast_sizes(*(tuple(t.value.shape) for t in tensors))
    if not isinstance(outcome, Misfit):
        return None
    return drawn(operation, outcome.message, None, *tensors)


def matmul_refused(operation: Operation, _: str) -> Reason | None:
    """Why two sizes have no product."""
    if operation.name not in ("@", "@=", "matmul", "mm", "bmm", "mv", "dot", "linear", "addmm"):
        return None
    tensors = operation.tensors[1:] if operation.name == "addmm" else operation.tensors[:2]
    if len(tensors) != 2:
        raise Unknown(operation.text)
    (a, b), (left, right) = tensors, (tuple(t.value.shape) for t in tensors)
    if not left or not right:
        return None
    ranks = _PRODUCT_RANKS.get(operation.name)
    if ranks is not None and ranks != (len(left), len(right)):
        # What is wrong is the number of dims, and torch says so.
        return None
    if operation.name == "linear":
        if left[-1] == right[-1]:
            return None
        sentence = (
            f"linear multiplies the last dim of {a.name} with the last dim of {b.name}, and their "
            f"sizes are {left} and {right}: {left[-1]} is not {right[-1]}. Is the right dim last?"
        )
        return drawn(operation, sentence, None, a, b)
    inner = right[-2] if len(right) > 1 else right[0]
    if left[-1] != inner:
        sentence = (
            f"a product goes along the last dim of {a.name}, of size {left[-1]}, and the "
            f"{'last dim but one' if len(right) > 1 else 'dim'} of {b.name}, of size {inner}. "
            f"They must be equal, and the sizes are {left} and {right}. Is one of them to be "
            "transposed?"
        )
        return drawn(operation, sentence, None, a, b)
    if operation.name == "bmm":
        if left[0] == right[0]:
            return None
        sentence = (
            f"bmm multiplies each matrix of {a.name} with one of {b.name}, and sizes {left} and "
            f"{right} begin with {left[0]} and {right[0]}. matmul broadcasts them, where one of "
            "the two is 1."
        )
        return drawn(operation, sentence, None, a, b)
    outcome = broadcast_sizes(left[:-2], right[:-2])
    if isinstance(outcome, Misfit):
        return drawn(
            operation, f"all dims but the last two broadcast: {outcome.message}", None, a, b
        )
    return None
