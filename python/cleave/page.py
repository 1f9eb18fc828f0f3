"""Elements of a self-contained HTML page: style, numbers, tables and pictures."""
import base64
import html
import io
import pathlib

import numpy as np

from .errors import ResultsError
from .units import scale_for

_STYLE = """
:root { --ink: #1d2430; --soft: #5d6775; --line: #dfe3e8; --accent: #0072B2; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 2.2rem 1.4rem 4rem; color: var(--ink);
       font: 15px/1.55 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; background: #fff; }
h1 { font-size: 1.7rem; margin: 0 0 .2rem; }
h2 { font-size: 1.12rem; margin: 2.4rem 0 .7rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
p { margin: .4rem 0; } .soft, figcaption { color: var(--soft); font-size: .88rem; }
.status { font-weight: 600; color: #007a58; } .status.bad { color: #b34700; }
.warning { white-space: pre-line; margin: .6rem 0; padding: .5rem .8rem;
           border-left: 4px solid #E69F00; background: #fdf6e7; }
.numbers { display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); gap: .7rem; margin: 1.2rem 0; }
.numbers div { border: 1px solid var(--line); border-radius: 6px; padding: .55rem .8rem; }
.numbers b { display: block; font-size: 1.2rem; font-weight: 600; }
.numbers span { color: var(--soft); font-size: .84rem; }
figure { margin: .8rem 0; text-align: center; } figure img { max-width: 100%; height: auto; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); gap: 1rem; align-items: center; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: .6rem 0; }
td, th { padding: .22rem 1.1rem .22rem 0; border-bottom: 1px solid var(--line); text-align: left; font-weight: 400; }
th { color: var(--soft); } td.n, th.n { text-align: right; }
.wide { overflow-x: auto; font-size: .93rem; } .wide td { white-space: nowrap; } .wide td, .wide th { padding-right: .65rem; }
.wide th { vertical-align: bottom; line-height: 1.3; } .wide td.status { font-weight: 400; }
details { margin: .6rem 0; } summary { cursor: pointer; color: var(--accent); }
pre { background: #f6f7f9; border: 1px solid var(--line); border-radius: 6px; padding: .8rem 1rem; overflow: auto;
      font: 12.5px/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
.player { display: flex; gap: .7rem; align-items: center; justify-content: center; }
.player input { width: min(24rem, 60%); accent-color: var(--accent); }
.player button { font: inherit; width: 5rem; padding: .1rem 0; border: 1px solid var(--line);
                 border-radius: 6px; background: #fff; }
.player output { width: 6.5rem; text-align: left; font-variant-numeric: tabular-nums; }
@media print { .player { display: none; } }
"""


def write_page(directory, path, title, parts):
    """Writes a page made of parts, by default report.html in the directory. Returns its path."""
    path = pathlib.Path(path) if path else directory / "report.html"
    if path.is_dir():
        path = path / "report.html"
    if not path.parent.is_dir():
        raise ResultsError(f"{path}: its folder does not exist; make it, or give another name with -o")
    page = (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>\n'
            f'<body>\n{"".join(parts)}</body></html>\n')
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise ResultsError(f"{path}: cannot be written ({error.strerror}); give another name with -o") from None
    return path


def number(value, unit=""):
    """A number with its unit, as readable text."""
    if isinstance(value, (int, np.integer)):
        return f"{value:,}"
    return scale_for([value], unit).text(value)


def rows(pairs):
    """A table of names and values, which are texts."""
    cells = "".join(f"<tr><th>{html.escape(str(name))}</th><td>{html.escape(str(text))}</td></tr>" for name, text in pairs)
    return f"<table>{cells}</table>"


def picture(figure, caption="", vector=True):
    """A figure in the page, as SVG (curves) or PNG (fields)."""
    data = io.BytesIO()
    figure.savefig(data, format="svg" if vector else "png", dpi=None if vector else 110)
    kind = "svg+xml" if vector else "png"
    text = base64.b64encode(data.getvalue()).decode("ascii")
    caption = html.escape(caption)
    words = f"<figcaption>{caption}</figcaption>" if caption else ""
    return f'<figure><img alt="{caption or "plot"}" src="data:image/{kind};base64,{text}">{words}</figure>'
