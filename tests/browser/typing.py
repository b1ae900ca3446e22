"""Typing into explorers on a far server: a delay on the kernel's socket, texts, what then stands.

The page's own WebSocket is made slower, half of the round trip each way; `page.evaluate` sets how
slow. What stands in the end is compared with a `Controller` into which the same was typed.
"""

import html
import re
import time
from functools import cache

from stridekit.explorers import EXPLORERS
from stridekit.explorers.controller import Controller
from stridekit.explorers.fields import TextField
from stridekit.explorers.markup import message_html

# Milliseconds of added round trip, and between two keys.
ROUND_TRIPS = (0, 40, 80, 200, 400)
GAPS = (0, 30, 60, 100)
# What is typed into each field, none of it what stands there at first.
TEXTS = {
    "index": {"size": "3, 5", "stride": "50, 1", "storage_offset": "12", "index": "2, -1"},
    "strides": {
        "size": "2, 5", "stride": "50, 1", "storage_offset": "12", "storage_length": "99",
    },
    "reshape": {"size": "4, 6", "stride": "50, 1", "storage_offset": "12", "new_size": "2, 12"},
    "permute": {
        "size": "2, 3, 5", "stride": "50, 7, 1", "storage_offset": "12", "dims": "1, 2, 0",
    },
    "slicing": {"size": "4, 6", "stride": "50, 1", "storage_offset": "12", "key": "1:3, ::2"},
    "broadcast": {"a": "2, 1, 3", "b": "5, 1", "c": "2, 5, 3"},
    "sharing": {"size": "4, 5", "index": "3, 1", "value": "1234"},
    "traversal": {"size": "3, 10", "stride": "50, 1", "storage_offset": "12", "visit": "17"},
    "pixels": {
        "size": "32, 48, 3", "stride": "291, 3, 1", "storage_offset": "12", "pixel": "30, 48",
    },
}  # fmt: skip
# Messages of the page's sockets take half of `window.addedRoundTrip` each way, in their order.
RESET = """() => {
    document.querySelectorAll('.sk-more').forEach(each => { each.open = true; });
    document.querySelectorAll('.sk-explorer button').forEach(button => {
        if (button.textContent === 'Reset') button.click();
    });
}"""
SLOW_SOCKET = """
window.addedRoundTrip = 0;
window.sent = 0;
window.WebSocket = class extends WebSocket {
    #later(act) {
        if (window.addedRoundTrip) setTimeout(act, window.addedRoundTrip / 2); else act();
    }
    send(data) { window.sent += 1; this.#later(() => super.send(data)); }
    get onmessage() { return super.onmessage; }
    set onmessage(act) {
        super.onmessage = act && (event => this.#later(() => act.call(this, event)));
    }
};
"""
# What a program writes into the field that has the focus: while one types it has to be nothing.
WATCH_FIELDS = """
window.written = [];
const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
Object.defineProperty(HTMLInputElement.prototype, 'value', {...value, set(text) {
    if (document.activeElement === this && this.closest('.sk-field')) {
        window.written.push(`${value.get.call(this)} became ${text}`);
    }
    value.set.call(this, text);
}});
"""


def labels(name):
    """The labels of an explorer's text fields, by name."""
    controls = EXPLORERS[name].controls
    return {
        each.name: each.label
        for each in controls
        if isinstance(each, TextField) and not each.hidden
    }


@cache
def typed(name, backwards):
    """A controller into whose fields the same was typed, in the same order."""
    controller = Controller(EXPLORERS[name])
    for field, text in in_order(name, backwards):
        for end in range(1, len(text) + 1):
            controller.type_in(field, text[:end], begins=end == 1)
    return controller


def in_order(name, backwards):
    """The fields and their texts, from the first to the last, or backwards."""
    return [*TEXTS[name].items()][:: -1 if backwards else 1]


def type_into(page, explorer, name, gap, backwards):
    """Type over what stands in each field, keys so many ms apart; gives what is wrong at once.

    Each field says what was typed while one is in it, and still when one has left it.
    """
    wrong = []

    def look(field, box, text, when):
        there = box.input_value()
        if there != text:
            wrong.append(f"{field}: {text!r} stands there as {there!r}, {when}")

    for field, text in in_order(name, backwards):
        box = explorer.get_by_role("textbox", name=labels(name)[field], exact=True)
        box.focus()
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type(text, delay=gap)
        look(field, box, text, "with the focus")
        box.blur()
        look(field, box, text, "left")
    return wrong


def settled(page, explorer):
    """Wait until every key is answered, on the whole page, and the focus is in no field."""
    explorer.get_by_role("button", name="Reset").focus()
    answered(page)


def answered(page):
    """Wait until every key is answered, on the whole page."""
    page.wait_for_function("() => !document.querySelector('.sk-pending')", timeout=120_000)


def differences(explorer, name, controller):
    """Where fields, message, picture and code are not those of a controller."""
    found = []
    for field, text in controller.texts().items():
        if field not in labels(name):
            continue
        box = explorer.get_by_role("textbox", name=labels(name)[field], exact=True)
        if box.input_value() != text:
            found.append(f"{field} says {box.input_value()!r}, not {text!r}")
    # Of what has been scrolled away a page gives text without its lines.
    said = explorer.locator(".sk-said").text_content()
    wanted = html.unescape(re.sub("<[^>]*>", "", message_html(controller)))
    if said != wanted:
        found.append(f"it says {said!r}, not {wanted!r}")
    drawn = [each.text_content() for each in explorer.locator(".sk-page svg > title").all()]
    if drawn != [controller.shows().diagram.alt]:
        found.append(f"it shows {drawn}")
    if explorer.locator(".sk-code").text_content() != controller.state.code():
        found.append("its code is another")
    return found


def trial(page, explorers, round_trip, gap, *, backwards=False):
    """Reset, type into all fields of all explorers, one after another: what goes wrong in each.

    Answers for one are on their way while the next is typed in, so the kernel is as far behind as
    it gets.
    """
    page.evaluate("ms => { window.addedRoundTrip = ms }", 0)
    page.evaluate(RESET)
    last = [*explorers.values()][-1]
    settled(page, last)
    page.evaluate("ms => { window.addedRoundTrip = ms; window.written = [] }", round_trip)
    time.sleep(0.02)
    wrong = {}
    for name, explorer in explorers.items():
        wrong[name] = type_into(page, explorer, name, gap, backwards)
        wrong[name] += page.evaluate("() => window.written.splice(0)")
    settled(page, last)
    for name, explorer in explorers.items():
        wrong[name] += differences(explorer, name, typed(name, backwards))
    return wrong
