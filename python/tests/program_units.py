"""Writes python/cleave/program_units.json anew: python3 python/tests/program_units.py PROGRAM"""
import json
import pathlib
import subprocess
import sys


def told_by(program):
    """Units of the columns of history.csv and of the keys of a case, where they have one, as `cleave info` tells them."""
    def rows(option):
        text = subprocess.run([program, "info", option], capture_output=True, check=True).stdout.decode("utf-8")
        return [line.split(" | ") for line in text.splitlines()[2:]]

    columns = {row[0].strip("|` "): row[1] for row in rows("--columns")}
    keys = {row[0].strip("|` ").replace(".N.", "."): row[2] for row in rows("--keys")}
    return {"columns": {name: unit for name, unit in columns.items() if unit != "-"},
            "keys": {key: unit for key, unit in keys.items() if unit != "-" and "/ " not in unit and "," not in unit}}


if __name__ == "__main__":
    file = pathlib.Path(__file__).resolve().parents[1] / "cleave" / "program_units.json"
    file.write_text(json.dumps(told_by(sys.argv[1]), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
