"""A self-contained HTML page about a study: table of runs, results over each varied key, all histories."""
import html

import pandas

from . import plot
from .page import number, picture, rows, write_page
from .plot.study import is_seed
from .text_file import read_text
from .units import unit_of

# Columns of the table of runs, after the values of the keys.
_SHOWN = (("steps", "steps"), ("wall_time", "wall time"), ("cohesive_elements", "elements inserted"),
          ("failed_length", "failed length"), ("fragments", "fragments"), ("dissipated_energy", "dissipated energy"),
          ("largest_balance_error", "balance error"))


def write_study_report(study, path=None):
    """Writes the page, by default report.html in the directory of the study. Returns its path."""
    parts = [_head(study), _outcomes(study), _histories(study), _runs(study), _study(study)]
    return write_page(study.directory, path, str(study.description["title"]), parts)


def _head(study):
    counts = study.table["status"].value_counts()
    good = counts.get("done", 0) == len(study.table)
    words = html.escape(", ".join(f"{count} {status}" for status, count in counts.items()))
    return (f'<h1>{html.escape(str(study.description["title"]))}</h1>'
            f'<p class="status{"" if good else " bad"}">{words} of {len(study.table)} runs</p>'
            f'<p class="soft">{html.escape(study.directory.resolve().name)}</p>\n')


def _outcomes(study):
    if study.done.empty:
        return "<p>No run is done yet.</p>"
    keys = [key for key in study.keys if study.done[key].nunique() > 1]
    keys = [key for key in keys if not is_seed(key)] or keys  # seeds are the bands of the others
    parts = [f"<h2>Over {html.escape(key)}</h2>" + picture(plot.outcomes(study, key)) for key in keys]
    return "".join(parts)


def _histories(study):
    if study.table["steps"].isna().all():
        return ""
    seeds = any(is_seed(key) for key in study.keys)
    caption = "Runs that differ in seeds alone: their mean, and a band from the smallest to the largest." if seeds else ""
    return "<h2>Histories of all runs</h2>" + picture(plot.histories(study), caption)


def _cell(column, value):
    if pandas.isna(value):
        return '<td class="n"></td>'
    text = f"{value:.1e}" if column == "largest_balance_error" else (
        f"{value:.3g} s" if column == "wall_time" else
        number(float(value), unit_of(column)) if unit_of(column) else f"{int(value):,}")
    return f'<td class="n">{html.escape(text)}</td>'


def _may_break(name):
    """A name with places for line breaks in a narrow column."""
    return html.escape(name).replace(".", ".<wbr>").replace("_", "_<wbr>")


def _runs(study):
    head = "".join(f"<th>{name}</th>" for name in ("run", "status"))
    head += "".join(f'<th class="n">{_may_break(name)}</th>' for name in (*study.keys, *(name for _, name in _SHOWN)))
    body = ""
    for row in study.table.assign(failed_length=study.failed_lengths).to_dict("records"):
        status = (f'<td class="status{"" if row["status"] == "done" else " bad"}">'
                  f'{html.escape(row["status"])}</td>')
        values = "".join(f'<td class="n">{html.escape(row[key])}</td>' for key in study.keys)
        cells = "".join(_cell(column, row[column]) for column, _ in _SHOWN)
        body += f"<tr><td>{html.escape(row['run'])}</td>{status}{values}{cells}</tr>\n"
    return f'<h2>Runs</h2><div class="wide"><table><tr>{head}</tr>\n{body}</table></div>\n'


def _study(study):
    keys = [(key, ", ".join(map(str, values))) for key, values in study.description["vary"].items()]
    text = html.escape(read_text(study.directory / "study.resolved.yaml", "start `cleave sweep` again"))
    return (f"<h2>Study</h2>{rows([('case', study.description['case']), *keys])}"
            f"<details><summary>the study, every value written out</summary><pre>{text}</pre></details>\n")
