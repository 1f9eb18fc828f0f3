import numpy as np
import pandas
import pytest

import cleave
from cleave.expression import evaluate

TABLE = pandas.DataFrame({"time": [0.0, 1e-6], "a.ux": [1e-3, 4e-3], "a.ux2": [9.0, 9.0], "b.ux": [1e-3, 2e-3], "b-c.uy": [5e-3, 6e-3],
                          "kinetic_energy": [2.0, 8.0], "external_work": [4.0, 10.0], "my probe.vx": [1.0, 3.0], "fragments": [0, 2]})


@pytest.mark.parametrize("text, values, unit", [
    ("a.ux", [1e-3, 4e-3], "m"), ("a.ux - b.ux", [0, 2e-3], "m"), ("a.ux-b.ux", [0, 2e-3], "m"),
    ("b-c.uy - a.ux", [4e-3, 2e-3], "m"), ("my probe.vx * 2", [2, 6], "m/s"), ("-(a.ux - b.ux) / 2", [0, -1e-3], "m"),
    ("a.ux - b.ux - b.ux", [-1e-3, 0], "m"), ("kinetic_energy / external_work", [0.5, 0.8], ""), ("2e0 * fragments + 1", [1, 5], ""),
    ("kinetic_energy / a.ux", [2e3, 2e3], "J/(m)"), ("1 / time", [np.inf, 1e6], "1/(s)"),
    ("kinetic_energy - external_work / 2 * 1", [0, 3], "J"), ("a.ux2 - 1", [8, 8], "")])
def test_an_expression_has_values_and_a_unit(text, values, unit):
    found = evaluate(text, TABLE)
    assert found.values == pytest.approx(np.array(values)) and found.unit == unit


@pytest.mark.parametrize("text, says", [
    ("a.ux - time", "'-' between m and s; both sides must have one unit"), ("a.ux + 1", "'+' between m and a pure number"),
    ("a.ux -", "expected a column, a number or '(' at its end"), ("(a.ux", "expected ')' at its end"),
    ("a.ux b.ux", "expected an operator at 'b.ux'"), ("a.uy - b.ux", "no column 'a.uy'; did you mean 'a.ux'"),
    ("__import__('os')", "no column '__import__'"), ("a.ux ** 2", "expected a column, a number or '(' at '* 2'"),
    ("(" * 99 + "1" + ")" * 99, "too many parentheses"), ("", "expected a column")])
def test_what_is_no_expression_says_where(text, says):
    with pytest.raises(cleave.ResultsError) as error:
        evaluate(text, TABLE)
    assert says in str(error.value)


def test_a_difference_of_probes_is_drawn(results):
    table = results.probes
    figure = cleave.plot.columns(table, "time", "tip.ux - far.ux")
    axes, due = figure.axes[0], table.dropna()
    drawn = axes.lines[0].get_ydata()
    assert len(drawn) == len(due) and axes.get_ylabel().startswith("tip.ux - far.ux (")
    exact = (due["tip.ux"] - due["far.ux"]).to_numpy()
    assert drawn / drawn[-1] == pytest.approx(exact / exact[-1])
