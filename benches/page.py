"""Tables of the pages under docs/, which stand between two comments."""

import re


def put(page, name, table):
    """Replaces a table of a page."""
    text = page.read_text()
    pattern = rf"(<!-- {name} -->\n).*?(<!-- end -->)"
    page.write_text(re.sub(pattern, lambda m: f"{m[1]}{table}\n{m[2]}", text, flags=re.S))
