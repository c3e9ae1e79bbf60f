# SPDX-License-Identifier: MIT
"""page.py FILE: every element of the page is closed where it should be, ids are there once, links
inside the page lead somewhere, and nothing comes from elsewhere."""
import html.parser
import sys

EMPTY = {"meta", "br", "line", "circle"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.targets, self.wrong = [], set(), set(), []

    def handle_starttag(self, tag, attrs):
        if tag not in EMPTY:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id" and value in self.ids:
                self.wrong.append(f"{value} is there twice")
            if name == "id":
                self.ids.add(value)
            if name == "href" and value.startswith("#"):
                self.targets.add(value[1:])
            elif name == "src" or (name == "href" and ":" in value):
                self.wrong.append(f"{tag} from {value}")
        if tag in {"script", "link", "img"}:
            self.wrong.append(f"a {tag}")

    handle_startendtag = handle_starttag

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> at line {self.getpos()[0]}")


page = Page()
page.feed(open(sys.argv[1], encoding="utf-8").read())
page.wrong += [f"<{tag}> is not closed" for tag in page.open]
page.wrong += [f"there is no {target}" for target in page.targets - page.ids]
print(*page.wrong, sep="\n")
print(len(page.ids), "places,", len(page.targets), "linked")
sys.exit(1 if page.wrong or not page.targets else 0)
