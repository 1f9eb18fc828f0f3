"""A hook of MkDocs: formulas between $ or $$ become MathML, which browsers draw by themselves: no script, no font, no network."""
import html
import re

from latex2mathml.converter import convert
from mkdocs.exceptions import PluginError

FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.S)


def on_page_content(content, page, **_):
    def drawn(found):
        tag, bracket, text = found.groups()
        formula = convert(html.unescape(text), display="block" if bracket == "[" else "inline")
        # latex2mathml leaves a macro or an alignment that it does not know as text.
        if "\\" in formula or "<mi>&</mi>" in formula:
            raise PluginError(f"{page.file.src_path}: this formula has something unknown: {text}")
        return f'<{tag} class="formula">{formula}</{tag}>'

    return FORMULA.sub(drawn, content)
