"""Why an operation copied, in one clause, worked out from headers alone."""

from typing import NamedTuple

from stridekit.explain import contiguity
from stridekit.layouts.memory_formats import channels_last, channels_last_3d, follows
from stridekit.layouts.view_rule import Obstacle, plan_view
from stridekit.own_code.headers import Header


class Facts(NamedTuple):
    """What is known of a copy: the public call, the operation, what went in and came out."""

    call: str
    operation: str
    sources: tuple[Header, ...]
    result: Header | None
    backward: bool


_FIXED = {
    "cat": "its parts lie apart, and one run is to hold them all",
    "stack": "its parts lie apart, and one run is to hold them all",
    "block_diag": "its parts lie apart, and one run is to hold them all",
    "index": "an index list or a mask picks positions that no stride describes",
    "index_select": "a list of indices picks positions that no stride describes",
    "gather": "indices pick positions that no stride describes",
    "take": "indices pick positions that no stride describes",
    "masked_select": "a mask picks positions that no stride describes",
    "embedding": "a list of indices picks rows that no stride describes",
    "flip": "to go backwards needs a negative stride, and torch has none",
    "roll": "what leaves at one end comes in at the other, and no stride goes round",
    "rot90": "to turn needs a negative stride, and torch has none",
    "repeat": "repeat writes every repetition; expand repeats with stride 0, without a copy",
    "repeat_interleave": "every repetition is written out",
    "index_put_": "what is assigned is copied to the places that the index picks",
    "index_copy_": "what is assigned is copied to the places that the index picks",
    "scatter_": "what is scattered is copied to the places that the index picks",
    "masked_scatter_": "what is assigned is copied to the places that the mask picks",
    "im2col": "windows that overlap are written out; Tensor.unfold shows them as a view",
    "resize_": "the storage was too small, and what was there moved into a larger one",
    "_pin_memory": "pinned memory is other memory",
    "tril": "what the other triangle holds must stay, so the result has memory of its own",
    "triu": "what the other triangle holds must stay, so the result has memory of its own",
}


def why_copied(facts: Facts) -> str:
    """Why a copy was needed, in one clause.

    >>> x = Header((4, 2), (1, 4), 0, "float32", 4, 32, "cpu")
    >>> y = Header((8,), (1,), 0, "float32", 4, 32, "cpu")
    >>> why_copied(Facts("Tensor.reshape", "reshape", (x,), y, False))
    'reshape crosses the seam between dims 0 and 1: stride[0] is 1, and to merge they need \
2 × 4 = 8'
    """
    operation = facts.operation
    if operation in _FIXED:
        return _FIXED[operation]
    if operation in ("_to_copy", "copy_") and len(facts.sources) and facts.result is not None:
        return _converted(facts, facts.sources[0], facts.result)
    if operation == "reshape" and facts.result is not None:
        return _reshaped(facts, facts.sources[0], facts.result)
    if operation == "clone" and facts.result is not None:
        return _cloned(facts, facts.sources[0], facts.result)
    if "pad" in operation:
        return "room around it needs a larger run"
    if "pixel" in operation or "channel_shuffle" in operation:
        return "the elements are laid out in another order"
    if operation in ("select_backward", "slice_backward"):
        return "the gradient of a view is as large as what was viewed: zeros, and the part"
    if operation.endswith(("_scatter", "scatter", "_put", "index_copy")):
        return "the original is to stay as it is, so it is copied before it is written to"
    return f"{operation.removesuffix('_copy').strip('_')} gives memory of its own"


def _reshaped(facts: Facts, source: Header, result: Header) -> str:
    plan = plan_view(source.layout, result.size)
    inside = _inside(facts, ("reshape", "flatten", "reshape_as"))
    if not isinstance(plan, Obstacle):
        # torch decided otherwise, as it does for tensors without elements.
        return f"reshape copied although a view would do{inside}"
    n, step = source.size[plan.right], source.stride[plan.right]
    return (
        f"reshape crosses the seam between dims {plan.left} and {plan.right}{inside}: "
        f"stride[{plan.left}] is {plan.actual}, and to merge they need {n} × {step} = "
        f"{plan.expected}"
    )


def _cloned(facts: Facts, source: Header, result: Header) -> str:
    inside = _inside(facts, ("contiguous", "clone", "to"))
    return (_restrided(source, result) or "clone always copies") + inside


def _restrided(source: Header, result: Header) -> str:
    """Which order of elements was asked for; empty if they kept the one that they had."""
    before, after = source.layout, result.layout
    if before.stride == after.stride:
        return ""
    for wanted in (channels_last, channels_last_3d):
        if follows(after, wanted) and not after.is_contiguous:
            return f"{wanted.name} was asked for, and the stride is {before.stride}"
    if after.is_contiguous and not before.is_contiguous:
        verdict = contiguity(before).answer.removeprefix("No: ").rstrip(".")
        return f"a contiguous tensor was asked for, and {verdict}"
    return f"other strides were asked for: {before.stride} becomes {after.stride}"


def _converted(facts: Facts, source: Header, result: Header) -> str:
    changes = []
    if source.dtype != result.dtype:
        changes.append(f"{source.dtype} becomes {result.dtype}")
    if source.device != result.device:
        changes.append(f"it goes from {source.device} to {result.device}")
    if facts.operation == "copy_":
        if facts.backward:
            return "the gradient is written with the strides of its parameter"
        filled = "it is written into memory that was there already"
        return "; ".join([filled, *changes])
    if facts.call == "torch.tensor":
        changes.append("torch.tensor always copies; torch.as_tensor shares where it can")
    elif not changes:
        changes.append(_restrided(source, result) or "a copy was asked for")
    return "; ".join(changes) + _inside(
        facts, ("to", "float", "half", "bfloat16", "double", "tensor")
    )


def _inside(facts: Facts, own: tuple[str, ...]) -> str:
    """Which call did it, if it is not one that says so by its name."""
    if facts.backward:
        return ", on the way back"
    name = facts.call.rpartition(".")[2]
    if name in own or name == facts.operation or name.startswith("new_"):
        return ""
    return f", inside of {facts.call}"
