"""Pages as a browser would read them."""

import re
from html.parser import HTMLParser


class Texts(HTMLParser):
    """What a browser would take for tags and attributes."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.said = [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.said += data


def without_scripts(text):
    return re.sub(r"<(script|style)[^>]*>.*?</\1>", "", text, flags=re.DOTALL)
