"""Follows every link of the finished site that stays inside: files, and places in them."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What loads by itself; a link to elsewhere waits until somebody follows it.
LOADS = {
    *(("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src")),
    *(("source", "src"), ("source", "srcset")),
}


class Page(HTMLParser):
    """The links of a page, and the places in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what leads somewhere."""
        known = {name: value for name, value in attrs if value}
        self.ids.update(known[name] for name in ("id", "name") if name in known)
        for name in ("href", "src", "srcset"):
            if name in known:
                self.links.add(known[name])
                is_hint = tag == "link" and known.get("rel") in ("canonical", "license")
                if (tag, name) in LOADS and not is_hint:
                    self.loaded.add(known[name])


def problems(root: Path) -> list[str]:
    """Links that lead nowhere, and what a page would load from elsewhere, a sentence for each."""
    read = {path: Page(path.read_text("utf-8")) for path in sorted(root.rglob("*.html"))
            if "lite" not in path.relative_to(root).parts[:1]}  # fmt: skip
    told = []
    for path, page in read.items():
        here = path.relative_to(root)
        for link in sorted(page.links):
            parts = urlsplit(link)
            if parts.scheme in ("http", "https") or link.startswith("//"):
                if link in page.loaded:
                    told.append(f"{here}: {link} is loaded from elsewhere")
                continue
            if parts.scheme:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            place = unquote(parts.fragment)
            if not target.is_file():
                told.append(f"{here}: {link} leads to no file")
            elif place and target in read and place not in read[target].ids:
                told.append(f"{here}: {link} leads to no place in {target.relative_to(root)}")
    return told


def main(root: Path) -> int:
    """Tell the problems; 1 if there are any."""
    told = problems(root.resolve())
    for each in told:
        print(each, file=sys.stderr)
    count = sum(1 for _ in root.rglob("*.html"))
    print(f"{count} pages, {len(told)} links that lead nowhere")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
