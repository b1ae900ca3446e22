"""Typing into explorers on a far server: a delay on the kernel's socket, texts, what then stands.

The page's own WebSocket is made slower, half of the round trip each way; `page.evaluate` sets how
slow. What stands in the end is compared with a `Controller` into which the same was typed.
"""

import html
import re
import time

from stridekit.explorers import EXPLORERS
from stridekit.explorers.controller import Controller
from stridekit.explorers.explorer import TextField
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
    "traversal": {"size": "3, 10", "visit": "17"},
    "pixels": {
        "size": "32, 48, 3", "stride": "291, 3, 1", "storage_offset": "12", "pixel": "30, 48",
    },
}  # fmt: skip
# Messages of the page's sockets take half of `window.addedRoundTrip` each way, in their order.
SLOW_SOCKET = """
window.addedRoundTrip = 0;
window.WebSocket = class extends WebSocket {
    #later(act) {
        if (window.addedRoundTrip) setTimeout(act, window.addedRoundTrip / 2); else act();
    }
    send(data) { this.#later(() => super.send(data)); }
    get onmessage() { return super.onmessage; }
    set onmessage(act) {
        super.onmessage = act && (event => this.#later(() => act.call(this, event)));
    }
};
"""


def labels(name):
    """The labels of an explorer's text fields, by name."""
    controls = EXPLORERS[name].controls
    return {each.name: each.label for each in controls if isinstance(each, TextField)}


def typed_into(page, explorer, name, texts, gap):
    """Type each text over what stands in its field, keys so many milliseconds apart.

    Gives what went wrong, and what a controller shows into which the same was typed.
    """
    controller, wrong = Controller(EXPLORERS[name]), []
    for field, text in texts.items():
        box = explorer.get_by_role("textbox", name=labels(name)[field], exact=True)
        box.focus()
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type(text, delay=gap)
        if box.input_value() != text:
            wrong.append(f"{field}: {text!r} stands there as {box.input_value()!r}")
        for end in range(1, len(text) + 1):
            controller.type_in(field, text[:end], begins=end == 1)
    return wrong, controller


def settled(page, explorer):
    """Wait until every key is answered, and the focus is in no field."""
    explorer.get_by_role("button", name="Reset").focus()
    handle = explorer.element_handle()
    page.wait_for_function("it => !it.classList.contains('sk-pending')", arg=handle)


def differences(explorer, name, controller):
    """Where fields, message, picture and code are not those of a controller."""
    found = []
    for field, text in controller.texts().items():
        if field not in labels(name):
            continue
        box = explorer.get_by_role("textbox", name=labels(name)[field], exact=True)
        if not controller.agree(field, box.input_value(), text):
            found.append(f"{field} says {box.input_value()!r}, not {text!r}")
    said = explorer.locator(".sk-said").inner_text()
    wanted = html.unescape(re.sub("<[^>]*>", "", message_html(controller).replace("<br>", "\n")))
    if said.split() != wanted.split():
        found.append(f"it says {said!r}, not {wanted!r}")
    drawn = [each.text_content() for each in explorer.locator(".sk-page svg > title").all()]
    if drawn != [each.alt for each in controller.pictures()]:
        found.append(f"it shows {drawn}")
    if explorer.locator(".sk-code").text_content() != controller.explorer.code(controller.state):
        found.append("its code is another")
    return found


def trial(page, explorer, name, round_trip, gap, *, backwards=False):
    """Reset, type into all fields from the first to the last, or backwards: what goes wrong."""
    page.evaluate("ms => { window.addedRoundTrip = ms }", 0)
    explorer.get_by_role("button", name="Reset").press("Enter")
    settled(page, explorer)
    page.evaluate("ms => { window.addedRoundTrip = ms }", round_trip)
    time.sleep(0.02)
    texts = TEXTS[name]
    order = [*texts.items()][:: -1 if backwards else 1]
    wrong, controller = typed_into(page, explorer, name, dict(order), gap)
    settled(page, explorer)
    return wrong + differences(explorer, name, controller)
