"""Exercises that stand in a lesson: no assignment has them, nobody grades them, none is counted."""

import random
from itertools import permutations, product
from math import prod

from stridekit.layouts.layout import Ints, contiguous_stride
from stridekit_course.checks.exercise import Exercise, Given
from stridekit_course.checks.returns import INTS, WHOLE

# Where keys and values lie in a cache of blocks, and the orders that its last four dims may have.
_ORDERS = ((0, 1, 2, 3, 4), (0, 1, 3, 2, 4), (1, 0, 2, 3, 4), (1, 0, 3, 2, 4), (0, 3, 1, 2, 4))


def _rows(hidden: bool, chance: random.Random) -> Given:
    # The same numbers in every order, and one width in two ways.
    for size, stride in product(permutations((2, 4, 6)), ((24, 6, 1), (72, 18, 1), (7, 0, 2))):
        yield from ((size, stride, heads) for heads in (2, 3) if size[2] in (2 * heads, 6))
    for _ in range(600 if hidden else 200):
        # In dims of size 1 torch's view may choose any stride, so there are none.
        batch, tokens, heads, depth = chance.choices((2, 3, 4, 7, 8, 12), k=4)
        steps = chance.choices((0, 1, 1, 2, 3, 5, 36, 100, 2**53 + 1), k=3)
        yield (batch, tokens, heads * depth), tuple(steps), heads


def _heads_stride(size: Ints, stride: Ints, heads: int) -> Ints:
    return stride[0], size[2] // heads * stride[2], stride[1], stride[2]


def _slots(hidden: bool, chance: random.Random) -> Given:
    for _ in range(300 if hidden else 50):
        blocks, block_size, heads, depth = chance.choices((1, 2, 3, 4, 5, 8, 16), k=4)
        size, order = (blocks, 2, block_size, heads, depth), chance.choice(_ORDERS)
        packed = contiguous_stride(tuple(size[dim] for dim in order))
        stride = tuple(packed[order.index(dim)] for dim in range(5))
        table = tuple(chance.sample(range(blocks), chance.randint(1, blocks)))
        tokens = chance.choices(range(len(table) * block_size), k=2)
        for listed, token in product((table, table[::-1]), tokens):
            yield stride, block_size, listed, token, chance.randrange(heads)


def _cache_slot(stride: Ints, block_size: int, table: Ints, token: int, head: int) -> int:
    index = table[token // block_size], 1, token % block_size, head
    return sum(i * step for i, step in zip(index, stride[:4], strict=True))


def _slot_rule(stride: Ints, block_size: int, table: Ints, token: int, head: int) -> str:
    number, place = divmod(token, block_size)
    index = table[number], 1, place, head
    hops = " + ".join(f"{i} × {step}" for i, step in zip(index, stride[:4], strict=True))
    return (
        f"token {token} is number {place} of block {table[number]}, entry {number} of the table; "
        f"values are 1 in dim 1: {hops} = {_cache_slot(stride, block_size, table, token, head)}."
    )


def _caches(hidden: bool, chance: random.Random) -> Given:
    yield from (((1, 2, tokens, 3), 4, steps) for tokens in range(3) for steps in range(4))
    for _ in range(600 if hidden else 200):
        size = tuple(chance.choices((1, 2, 3, 5, 8), k=4))
        tokens, steps = chance.choice((0, 1, 2, 7, 100)), chance.choice((0, 1, 2, 5, 500))
        yield (*size[:2], tokens, size[3]), chance.choice((1, 2, 4, 8)), steps


def _bytes_copied(size: Ints, itemsize: int, steps: int) -> int:
    batch, heads, tokens, depth = size
    return batch * heads * depth * itemsize * (steps * tokens + steps * (steps + 1) // 2)


def _bytes_rule(size: Ints, itemsize: int, steps: int) -> str:
    batch, heads, tokens, depth = size
    token = batch * heads * depth * itemsize
    total = _bytes_copied(size, itemsize, steps)
    return (
        f"a token has {batch} × {heads} × {depth} × {itemsize} = {token} bytes. cat writes "
        f"{tokens + 1} of them the first time, and one more each time after that: with steps = "
        f"{steps}, that is {total // token} tokens."
    )


OPTIONAL = {
    each.name: each
    for each in (
        Exercise(
            "heads_stride",
            ("size", "stride", "heads"),
            returns=INTS,
            cases=_rows,
            reference=_heads_stride,
            rule=lambda size, stride, heads: (
                f"a head has {size[2]} / {heads} = {size[2] // heads} numbers, {stride[2]} apart, "
                f"so the next head is {size[2] // heads} × {stride[2]} on. Then heads and tokens "
                "change places."
            ),
            known={
                "this is what view alone gives. transpose swaps heads and tokens.": (
                    lambda *given: tuple(_heads_stride(*given)[dim] for dim in (0, 2, 1, 3))
                ),
                "if the rows are taken for contiguous. Begin with the stride that is given.": (
                    lambda size, _, heads: _heads_stride(size, contiguous_stride(size), heads)
                ),
                "if a head's numbers are taken for neighbours. They are stride[2] apart.": (
                    lambda size, stride, heads: (stride[0], size[2] // heads, *stride[1:])
                ),
            },
        ),
        Exercise(
            "cache_slot",
            ("stride", "block_size", "table", "token", "head"),
            returns=WHOLE,
            cases=_slots,
            reference=_cache_slot,
            rule=_slot_rule,
            known={
                "this is where its key begins. Values are 1 in dim 1.": lambda stride, *given: (
                    _cache_slot((stride[0], 0, *stride[2:]), *given)
                ),
                "if the block's number in the text is taken for its number in the cache. The table "
                "says which one it is.": lambda stride, block_size, table, token, head: _cache_slot(
                    stride, block_size, tuple(range(len(table))), token, head
                ),
                "if the head is forgotten.": lambda stride, *given: _cache_slot(
                    (*stride[:3], 0, 1), *given
                ),
            },
        ),
        Exercise(
            "bytes_copied",
            ("size", "itemsize", "steps"),
            returns=WHOLE,
            cases=_caches,
            reference=_bytes_copied,
            rule=_bytes_rule,
            known={
                "if each token is written once. cat writes the old ones again, too.": (
                    lambda size, itemsize, steps: prod((*size[:2], size[3], itemsize, steps))
                ),
                "if the cache begins empty. It has tokens already.": lambda size, *given: (
                    _bytes_copied((*size[:2], 0, size[3]), *given)
                ),
                "these are numbers. Multiply by itemsize to get bytes.": lambda size, _, steps: (
                    _bytes_copied(size, 1, steps)
                ),
                "if the new token itself is not counted. It is written as well.": (
                    lambda size, itemsize, steps: (
                        _bytes_copied(size, itemsize, steps)
                        - prod((*size[:2], size[3], itemsize, steps))
                    )
                ),
            },
        ),
    )
}
