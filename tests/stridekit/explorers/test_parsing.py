"""What is typed: read leniently, refused with a sentence, and never an exception."""

import html

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stridekit.diagrams.scenes.captions import cut
from stridekit.explorers import EXPLORERS
from stridekit.explorers.controller import Controller
from stridekit.explorers.fields import LARGEST, IntField, IntsField, MisreadError, TextField
from stridekit.explorers.markup import answers, message_html, page_html
from stridekit.explorers.slicing import KeyField, parse
from tests.stridekit.explorers.oracles import agree
from tests.stridekit.explorers.test_laws import check

FIELDS = [
    (name, control.name)
    for name, explorer in EXPLORERS.items()
    for control in explorer.controls
    if isinstance(control, TextField)
]
KEY = KeyField("key", "key")
each_field = pytest.mark.parametrize(("name", "field"), FIELDS)
ODD = [
    "\x00", "\x1b[31m", "3\x00, 4", "\u202e3, 4", "\ud800", "💥", "३, ४", "²", "½", "3.5", "1e3",
    "0x10", "1_000", "-", "+", "--1", "+-1", "()", "((", "3 x", "x 4", "None", "nan", "inf",
    "-0", "+3", "007", "1" * 100, "-" + "9" * 5000, "3, " * 10_000, "a" * 100_000, "9" * 100_000,
    str(2**63), str(-(2**63)), str(LARGEST), str(LARGEST + 1), f"{LARGEST}, {LARGEST}",
    ", ".join([str(LARGEST)] * 6), ", ".join([str(LARGEST)] * 5) + ", 0", "0, 0, 0, 0, 0, 0",
    "1, 1, 1, 1, 1, 1, 1", "<script>alert(1)</script>", "<b>3</b>", "&amp;", '"', "'",
    "::0", ":::", "..., ...", "1:" + "9" * 20, "None, " * 50, "x[", "]", "[[1]]", "1 2", "exit()",
]  # fmt: skip


@each_field
def test_odd_text_is_taken_or_refused_with_a_sentence(name, field):
    """Control characters, other scripts, huge numbers, tags: the last valid state stays."""
    controller = Controller(EXPLORERS[name])
    for text in ODD:
        before = controller.state
        controller.set(**{field: text})
        check(controller, before)
        # The page of a state that was there before takes long to make once more.
        if controller.state is not before or "<script" in text:
            assert "<script" not in message_html(controller) + page_html(controller)
        if controller.state is not before:
            agree(controller)
        controller.reset()


@each_field
def test_any_text_at_all(name, field):
    """Text of any characters, and text of the characters that mean something here."""
    meaningful = st.text(st.sampled_from("0123456789-+, x[]():.*×−Noe\n\t"), max_size=20)
    controller = Controller(EXPLORERS[name])

    @settings(max_examples=60)
    @given(st.one_of(st.text(max_size=30), meaningful))
    def holds(text):
        before = controller.state
        controller.set(**{field: text})
        check(controller, before)
        if controller.state is not before:
            agree(controller)

    holds()


@each_field
def test_values_from_programs(name, field):
    """They are read as text is: what is none of them is refused, and a list is a tuple."""
    controller = Controller(EXPLORERS[name])
    for value in (None, True, 2.5, object, [1, 2], (1.5,), {"a": 1}, b"3", 10**400, -(10**30)):
        before = controller.state
        controller.set(**{field: value})
        check(controller, before)
        controller.reset()


def test_text_in_messages_is_escaped():
    """Whatever is typed is text on the page, never a tag."""
    controller = Controller(EXPLORERS["index"])
    controller.set(size="<img src=x onerror=alert(1)>")
    message = message_html(controller)
    assert "<img" not in message
    assert html.escape("<img src=x onerror=alert", quote=False) in message
    controller = Controller(EXPLORERS["index"], predict=True)
    controller.guess("<img src=x>")
    assert "<img" not in message_html(controller)
    assert "&lt;img" in message_html(controller)


def test_a_guess_is_escaped_and_anything_may_be_guessed():
    """Text, control characters, even what is not text."""
    controller = Controller(EXPLORERS["slicing"], predict=True)
    for guess in (*ODD, 3, None):
        controller.guess(guess)
        assert "<script" not in message_html(controller)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3,4", (3, 4)), ("(3, 4)", (3, 4)), ("[3 4]", (3, 4)), ("{3;4}", (3, 4)),
        ("3x4", (3, 4)), ("3 × 4", (3, 4)), ("3*4", (3, 4)), ("  3  4 ", (3, 4)), ("3,4,", (3, 4)),
        ("torch.Size([3, 4])", (3, 4)), ("", ()), ("()", ()), ("[]", ()), ("3", (3,)),
        ("(3,)", (3,)), ("+3", (3,)), ("003", (3,)), ("3\t4\n", (3, 4)), ("3\u00a04", (3, 4)),
        ("0" * 40 + "7", (7,)), ("Size([5, 6])", (5, 6)), ("size (5, 6)", (5, 6)),
        ("5 by 6", (5, 6)), ("torch.Size([])", ()),
        # As keyboards for Chinese and Japanese have them.
        ("（３，４）", (3, 4)), ("3、4", (3, 4)), ("０１２", (12,)),
    ],
)  # fmt: skip
def test_sizes_are_read_leniently(text, value):
    """As people write them."""
    size = IntsField("size", "size")
    assert size.read(text) == value
    assert size.read(size.spell(value)) == value


def test_signs_are_read_leniently():
    """A minus in print is a minus."""
    assert IntsField("index", "index", least=None).read("-1, −2, +3") == (-1, -2, 3)


def refusal(read, text):
    """What, why and nearest."""
    with pytest.raises(MisreadError) as refused:
        read(text)
    problem = refused.value
    return problem.what, problem.why, problem.nearest


def test_the_sentences_of_a_size():
    """What is wrong, why, and what works."""
    size = IntsField("size", "size", because="A size counts, so it is not negative.").read
    assert refusal(size, "3, four") == (
        "The size '3, four' cannot be read.",
        "'four' is not a whole number. Write numbers with commas or spaces between them.",
        "3, 1",
    )
    assert refusal(size, "3, -4") == (
        "The size '3, -4' cannot be used.",
        "A size counts, so it is not negative.",
        "3, 0",
    )
    assert refusal(size, "nothing")[2] == "for instance 3, 4"
    assert refusal(size, "3.0, 4")[2] == "3, 4"
    assert refusal(size, "1 1 1 1 1 1 1") == (
        "The size '1 1 1 1 1 1 1' cannot be used.",
        "An explorer shows at most 6 dims, and these are 7.",
        "1, 1, 1, 1, 1, 1",
    )
    assert refusal(IntsField("index", "index", least=-2).read, "-3")[1] == (
        "Each number is at least -2, and -3 is not."
    )
    what, why, nearest = refusal(size, "9" * 5000)
    assert len(what) < 60
    assert "at most 1,000,000,000" in why
    assert nearest == str(LARGEST)


def test_the_sentences_of_one_number():
    """One number is one number."""
    visit = IntField("visit", "visit").read
    assert visit(" (3) ") == 3
    assert visit("1,000") == 1000
    assert refusal(visit, "1,2,3,4,5,6,7")[1:] == ("One number is asked for.", "1")
    assert refusal(visit, "1.5")[1:] == (
        "'1.5' is not a whole number. One number is asked for.",
        "1",
    )
    assert refusal(visit, "20.5")[2] == "20"
    assert refusal(visit, "3, 4") == (
        "The visit '3, 4' cannot be used.", "One number is asked for.", "3"
    )  # fmt: skip
    # As it stands there while somebody types another number.
    for empty in ("", " "):
        assert refusal(visit, empty) == ("The visit is empty.", "One number is asked for.", "0")
    assert refusal(visit, "three")[2] == "for instance 3"
    assert refusal(visit, "-5")[2] == "0"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("1:, ::2", "1:, ::2"), ("[1 :, : : 2]", "1:, ::2"), ("x[1:]", "1:"), ("x[0, 2]", "0, 2"),
        ("", ""), ("()", ""),
        ("none, ..., −1", "None, ..., -1"), ("np.newaxis, newaxis", "None, None"),
        ("+1:+2", "1:2"), (":", ":"), ("::", ":"), ("1,", "1"), ("::-1", "::-1"),
        ("(0, 1)", "0, 1"), ("x", ""), ("x[", ""), ("y[1]", "1"), ("x[1:", "1:"),
        ("Ellipsis, 0", "..., 0"),
        (":9223372036854775807", ":9223372036854775807"), ("999999999999", "999999999999"),
        ("-" + "0" * 30 + "1:", "-1:"), ("::1000000000", "::1000000000"),
    ],
)  # fmt: skip
def test_keys_are_read_leniently(text, key):
    """And spelled evenly, so that they can be read again."""
    assert KEY.read(text) == key
    assert KEY.read(key) == key
    assert len(parse(key)) == (key.count(",") + 1 if key else 0)


def test_the_sentences_of_a_key():
    """What cannot be read, and a step of 0."""
    assert refusal(KEY.read, "1:, a") == (
        "The key '1:, a' cannot be read.",
        "'a' is not a number, start:stop:step, None or dots.",
        "for instance 1:",
    )
    for key in ("[0, 2]", ":, [0, 1]", "x[[0, 2]]"):
        what, why, nearest = refusal(KEY.read, key)
        assert what == f"The key {key!r} holds a list."
        assert why.startswith("A list picks elements one by one and makes a copy.")
        assert nearest == "for instance 0:"
    assert refusal(KEY.read, "x[1:][2]") == (
        "The key 'x[1:][2]' is one key after another.",
        "The second is a key into what the first one gives. Here is room for one.",
        "for instance 1:, 2",
    )
    for key, part, nearest in (
        ("-" + "9" * 30, "-" + "9" * 30, "-9223372036854775807"),
        ("0, ::-1000000001", "::-1000000001", "0, ::-1000000000"),
    ):
        assert refusal(KEY.read, key) == (
            f"The key {cut(key)!r} cannot be used.",
            "A number has 64 bits, a step is at most 1,000,000,000, and "
            f"{cut(part)!r} goes beyond.",
            f"for instance {nearest}",
        )
    assert refusal(KEY.read, "0, 1, foo")[2] == "for instance 0, 1"
    assert refusal(KEY.read, "1:2, ::0")[2] == "for instance 1:2, ::1"
    assert refusal(KEY.read, "1:5:0") == (
        "'1:5:0' steps by 0.", "That leads nowhere.", "for instance 1:5:1"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "changes", "sentences"),
    [
        ("index", {"index": "3, 0"}, ("Index 3 leaves dim 0.", "It has size 3, so its indices are "
         "-3 to 2.", "index (2, 0)")),
        ("index", {"index": "1"}, ("Index (1,) has length 1, and x has 2 dims.",
         "An index has one number for each dim.", "index (1, 0)")),
        ("index", {"size": "0, 4"}, ("Size (0, 4) has no elements.",
         "So there is no index, and no position.", "size (1, 4)")),
        ("strides", {"stride": "4"}, ("The size has 2 dims, and the stride has 1.",
         "Each dim has one size and one stride.", "stride (4, 1)")),
        ("strides", {"stride": "-4, 1"}, ("The stride '-4, 1' cannot be used.",
         "A stride is not negative in torch; flip copies instead.", "0, 1")),
        ("strides", {"storage_length": "4097"}, ("A storage of 4,097 elements is too long.",
         "An explorer shows at most 4,096.", "storage length 4096")),
        ("reshape", {"new_size": "5, 2"}, ("New size (5, 2) is refused.", "view(5, 2): that size "
         "holds 10 elements, and the tensor has 12.", "new size (12,)")),
        ("reshape", {"new_size": "2, 5"}, ("New size (2, 5) is refused.", "view(2, 5): that size "
         "holds 10 elements, and the tensor has 12.", "new size (2, 6)")),
        ("reshape", {"new_size": "-1, -1"}, ("New size (-1, -1) is refused.", "view(-1, -1): only "
         "one size can be worked out, so give one -1 at most.", "new size (12,)")),
        ("reshape", {"size": "100, 100"}, ("Size (100, 100) has 10,000 elements.",
         "An explorer shows at most 512.", "size (12, 25); stride (25, 1); storage_offset 0")),
        ("permute", {"dims": "0, 1"}, ("dims (0, 1) is not an order.",
         "permute(0, 1) on size (2, 2, 3): 2 dims are named, and the tensor has 3. Name each dim "
         "once.", "dims (0, 1, 2)")),
        ("permute", {"dims": "0, 1, 5"}, ("dims (0, 1, 5) is not an order.",
         "permute(0, 1, 5): there is no dim 5 in a tensor of 3 dims. Give a dim from -3 to 2.",
         "dims (0, 1, 2)")),
        ("permute", {"dims": "0, 1, -3"}, ("dims (0, 1, -3) is not an order.",
         "permute(0, 1, -3) on size (2, 2, 3): dim -3 is named twice. Name each dim once.",
         "dims (0, 1, 2)")),
        ("slicing", {"key": "7"}, ("x[7] is refused.", "Index 7 is outside dim 0, which has size "
         "3: give one from -3 to 2.", "x[2]")),
        ("slicing", {"key": "999999999999"}, ("x[999999999999] is refused.", "Index 999999999999 "
         "is outside dim 0, which has size 3: give one from -3 to 2.", "x[2]")),
        ("slicing", {"key": "..., ..."}, ("x[..., ...] is refused.", "Dots stand for all dims that "
         "are not named, so they stand once.", "x[...]")),
        ("broadcast", {"b": "4, 4"}, ("They do not broadcast.", "Dim -2, counted from the right, "
         "has 3 (a) and 4 (b): they differ, and neither is 1.", "size of b (1, 4)")),
        ("broadcast", {"b": "4", "c": "5"}, ("They do not broadcast.", "Dim -1, counted from the "
         "right, has 4 (b) and 5 (c): they differ, and neither is 1.", "size of c (1,)")),
        ("reshape", {"new_size": "5, -1"}, ("New size (5, -1) is refused.", "view(5, -1): 12 "
         "elements do not divide by 5, the product of the other sizes, so no number can stand for "
         "-1.", "new size (12,)")),
        ("sharing", {"tensor": "w"}, ("There is no tensor w yet.", "There are x, y, z.",
         "tensor x")),
        ("traversal", {"memory": "channels_last"}, ("x has 2 dims, and channels are for 4: "
         "(N, C, H, W).", "For another size, choose row-major or column-major, and rows or "
         "columns.", "size (1, 3, 2, 4)")),
        ("traversal", {"visit": "16"}, ("There is no visit 16.", "The visits are 0 to 15.",
         "visit 15")),
    ],
)  # fmt: skip
def test_the_sentences_of_problems(name, changes, sentences):
    """What, why and the nearest that works, word by word."""
    controller = Controller(EXPLORERS[name])
    controller.set(**changes)
    problem = controller.problem
    assert (problem.what, problem.why, problem.nearest) == sentences
    check(controller, controller.first)


@pytest.mark.parametrize(
    ("prediction", "truth"),
    [
        ("(3, 2)", "(3, 2)"), ("torch.Size([3, 2])", "(3, 2)"), ("3 by 2", "(3, 2)"),
        ("3x2", "(3, 2)"), ("3 and 2", "(3, 2)"), ("size 3 2", "(3, 2)"), ("[3,2]", "(3, 2)"),
        ("()", "()"), ("[]", "()"), ("torch.Size([])", "()"), ("2,004", "2004"), ("-0", "-0"),
        ("position 6", "6"), ("32 times", "32"), ("2,004 elements", "2004"), ("006", "6"),
        ("yes", "yes"), ("Y", "yes"), ("Yes, it can.", "yes"), ("n", "no"), ("No, it cannot", "no"),
        ("no, it can't", "no"), ("y, x", "x, y"), ("both x and y", "x, y"), ("only x", "x"),
    ],
)  # fmt: skip
def test_a_right_prediction_counts_in_any_spelling(prediction, truth):
    """As torch prints it, as the page writes it, in words."""
    assert answers(prediction, truth)


@pytest.mark.parametrize(
    ("prediction", "truth"),
    [
        ("(2, 3)", "(3, 2)"), ("3.2", "(3, 2)"), ("3/2", "(3, 2)"), ("32", "(3, 2)"), ("", "()"),
        ("1", "()"), ("not 6", "6"), ("-6", "6"), ("2.004", "2004"), ("2,04", "2004"),
        ("yes", "no"), ("no", "yes"), ("no idea", "no"), ("yes and no", "yes"), ("maybe", "no"),
        ("no, it can", "no"), ("x", "x, y"), ("x, y, z", "x, y"), ("not x", "x"),
    ],
)  # fmt: skip
def test_a_wrong_prediction_never_counts(prediction, truth):
    """However near it is."""
    assert not answers(prediction, truth)
