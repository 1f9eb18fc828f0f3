#!/usr/bin/env python3
"""What README.md, docs/results.md, docs/user_guide.md and docs/tutorial.md print is what the program prints and writes.

    figures_in_texts.py PROGRAM REPOSITORY             runs the quick start and the case of README.md
    figures_in_texts.py --tutorial REPOSITORY LOG      compares docs/tutorial.md with LOG and out, of tutorial.sh

Figures of the machine and its load (devices, wall times) are not compared, nor is the fingerprint, which any new key changes. So
that the test can fail, each figure is then changed, one at a time, and the change must be found.
"""
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from decimal import Decimal

NUMBER = re.compile(r"(?<![\w.#-])-?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])")
NOT_COMPARED = ("device", "wall_time", "fingerprint")


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.M | re.S)


def rounds_to(printed, value):
    """Whether the printed number is the value, rounded to the digits that are printed; 0 stands for nothing but 0."""
    if printed == "0":
        return float(value) == 0
    last = Decimal(1).scaleb(Decimal(printed).as_tuple().exponent)
    return abs(Decimal(printed) - Decimal(value)) <= last / 2


def lines_printed(shown, printed):
    """The lines of a text that a command did not print, in their order; `...` stands for anything, lines included."""
    rest = iter(printed)
    for line in shown:
        if line.strip() and line.strip() != "...":
            pattern = re.compile(r".*".join(map(re.escape, line.strip().split("..."))))
            if not any(pattern.fullmatch(other.strip()) for other in rest):
                return [line]
    return []


def tables(text):
    """The tables of a text as lists of rows, each a dict by the names in its first row."""
    for table in re.findall(r"(?:^\|.*\|\n)+", text, flags=re.M):
        names, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines())
        yield [dict(zip(names, row)) for row in rows]


def rows_of(file):
    with open(file, encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


class QuickStart:
    """What a run of the quick start printed and wrote."""

    def __init__(self, printed):
        out = pathlib.Path("out/quickstart")
        self.printed = printed
        self.files = {path.name: path.stat().st_size for path in out.iterdir()}
        self.summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
        self.history, self.fragments = rows_of(out / "history.csv"), rows_of(out / "fragments.csv")
        self.resolved = (out / "case.resolved.yaml").read_text(encoding="utf-8")
        last = max(name for name in self.files if name.startswith("bulk_"))
        head = (out / last).read_bytes()[:4000].decode("latin-1")
        self.points, self.cells = (int(re.search(rf'NumberOf{what}="(\d+)"', head)[1]) for what in ("Points", "Cells"))

    def wrong_in_readme(self, text):
        return lines_printed(blocks(text, "console")[0].splitlines()[1:], self.printed)

    def wrong_in_results(self, text):
        wrong = []
        for line in blocks(text, "json")[0].splitlines()[1:-1]:
            (name, value), = json.loads("{" + line.rstrip(",") + "}").items()
            if name not in NOT_COMPARED and self.summary[name] != value:
                wrong.append(line)
        for row in (row for table in tables(text) for row in table):
            rows = self.fragments if "fragment" in row else self.history
            same = [other for other in rows if all(other[key] == row[key] for key in ("step", "fragment") if key in row)]
            wrong += [f"{name} of {row}" for name, value in row.items() if not same or not rounds_to(value, same[0][name])]
        listing = blocks(text, "console")[0].partition("ls out/quickstart\n")[2]
        wrong += [name for name in re.findall(r"\b\w+\.(?:pvd|vtu|csv|json|resolved\.yaml)\b", listing) if name not in self.files]
        if not self.resolved.startswith(blocks(text, "yaml")[0]):
            wrong.append("case.resolved.yaml")
        frames = sum(name.startswith("bulk_") for name in self.files)
        halves = [row for row in self.fragments[-3:] if int(row["elements"]) > 10000]
        for pattern, values in ((r"the body, (\d+) frames", [frames]),
                                (r"a row every (\d+) steps", [int(self.history[1]["step"])]),
                                (r"(\d+) MB in all", [sum(self.files.values()) / 1e6]),
                                (r"digits; (\d+) columns", [len(self.history[0])]),
                                (r"fly apart at ([\d.]+) m/s", [abs(float(row["velocity_y"])) for row in halves]),
                                (r"\((\d+), 2\) points", [self.points]), (r"\((\d+), 3\) triangles", [self.cells])):
            printed = re.search(pattern, text)
            if not printed or not all(rounds_to(printed[1], value) for value in values):
                wrong.append(pattern)
        return wrong


def changed(text, parts):
    """The text with one figure of these parts of it changed, for each figure."""
    for part in parts:
        start = text.index(part)
        for number in NUMBER.finditer(part):
            digits = [i for i in range(*number.span()) if part[i].isdigit()]
            mantissa = [i for i in digits if "e" not in part[number.start():i]]
            at = start + mantissa[-1]
            yield number[0], text[:at] + str((int(text[at]) + 5) % 10) + text[at + 1:]


def compare(name, text, wrong_in, parts):
    """The number of figures compared. Ends the program when one is wrong, or when a change is not found."""
    wrong = wrong_in(text)
    if wrong:
        sys.exit(f"FAILED: {name} prints what is not so:\n" + "\n".join(map(str, wrong)))
    count = 0
    for number, other in changed(text, parts):
        count += 1
        if not wrong_in(other):
            sys.exit(f"FAILED: a change of {number} in {name} is not found")
    return count


def quick_start(program, repository):
    def run(case, *options):
        return subprocess.run([program, "run", case, "--backend", "cpu", "--threads", "2", "--force", *options], check=True,
                              capture_output=True, text=True).stdout.splitlines()

    readme, results, guide = ((repository / name).read_text(encoding="utf-8")
                              for name in ("README.md", "docs/results.md", "docs/user_guide.md"))
    case = repository / "configs/quickstart.yaml"
    quick = QuickStart(run(case))
    # Trust: nothing to warn of, and cracks that branch into pieces that mean something.
    assert not quick.summary["warnings"] and quick.summary["insertion_ratio"] < 1.1, quick.summary
    assert min(float(row["mass"]) for row in quick.fragments[-quick.summary["fragments"]:]) > 1e-4, quick.fragments[-3:]
    looked = subprocess.run([program, "check", case], check=True, capture_output=True, text=True).stdout
    zone = float(re.search(r"zone of \S+ m, ([\d.]+) facets long: resolved", looked)[1])
    assert zone >= 3, looked

    shown = blocks(readme, "console")[0]
    count = compare("README.md", readme, quick.wrong_in_readme, [line for line in shown.splitlines()[2:] if line != "  ..."])
    table_rows = re.findall(r"^\| -?\d.*\|$", results, flags=re.M)
    others = tuple(f'  "{name}"' for name in NOT_COMPARED)
    summary = [line for line in blocks(results, "json")[0].splitlines() if not line.startswith(others)]
    prose = re.findall(r"the body, \d+ frames|\d+ MB in all|\d+ columns|fly apart at [\d.]+|\(\d+, 2\) points|\(\d+, 3\) tri", results)
    count += compare("docs/results.md", results, quick.wrong_in_results, table_rows + summary + prose)

    text = case.read_text(encoding="utf-8")
    if blocks(guide, "yaml")[0] != text[text.index("title:"):]:
        sys.exit("FAILED: docs/user_guide.md does not show all of configs/quickstart.yaml")
    pathlib.Path("plate.yaml").write_text(blocks(readme, "yaml")[0], encoding="utf-8")
    run("plate.yaml")
    plate = json.loads(pathlib.Path("out/plate/summary.json").read_text(encoding="utf-8"))
    if plate["warnings"] or plate["fragments"] != 2 or "plate in two pieces" not in readme:
        sys.exit(f"FAILED: the case of README.md ends with {plate['fragments']} fragments and the warnings {plate['warnings']}")
    print(f"{count} figures are as they are printed, and any change of them is found")


def tutorial(repository, log):
    text, printed = (path.read_text(encoding="utf-8") for path in (repository / "docs/tutorial.md", log))
    study = [row for row in rows_of("out/blocks/study.csv") if row["status"] == "done"]

    def wrong(text):
        found = [line for block in blocks(text, "text") for line in lines_printed(block.splitlines(), printed.splitlines())]
        prose = re.search(r"They give (\d+), (\d+) and (\d+) fragments at 0.4 ms; the length of all cracks differs by (\d+) %", text)
        lengths = [float(row["crack_length"]) for row in study]
        if not prose or list(prose.groups()[:3]) != [row["fragments"] for row in study]:
            found.append("fragments of three seeds")
        if not prose or not rounds_to(prose[4], 100 * (max(lengths) / min(lengths) - 1)):
            found.append("crack length of three seeds")
        return found

    prose = re.search(r"They give .* fragments at", text)[0], re.search(r"differs by \d+ %", text)[0]
    count = compare("docs/tutorial.md", text, wrong, [line for block in blocks(text, "text") for line in block.splitlines()] + list(prose))
    print(f"{count} figures of the tutorial are as they are printed, and any change of them is found")


if __name__ == "__main__":
    if sys.argv[1] == "--tutorial":
        tutorial(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
    else:
        program, repository = os.path.realpath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            quick_start(program, repository)
