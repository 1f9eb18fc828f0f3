import numpy as np
import pandas
import pytest

from cleave.fragments import fit, fragment_table, measures

SIZES = np.array([0.6, 0.9, 1.1, 1.6, 2.3, 4.1])


def test_rayleigh_and_grady_have_closed_forms():
    rayleigh, grady = fit(SIZES, "rayleigh"), fit(SIZES, "grady")
    assert rayleigh.scale == pytest.approx(np.sqrt((SIZES**2).mean() / 2))
    assert grady.scale == pytest.approx(SIZES.mean())
    assert grady.survival(SIZES.mean()) == pytest.approx(np.exp(-1))
    # Exponential over the area says what Rayleigh says of its root.
    assert fit(SIZES**2, "grady").distance == pytest.approx(rayleigh.distance)


def test_weibull_is_the_likeliest():
    fitted = fit(SIZES, "weibull")
    k, logs = fitted.modulus, np.log(SIZES)
    assert (SIZES**k @ logs) / (SIZES**k).sum() - 1 / k - logs.mean() == pytest.approx(0, abs=1e-9)
    assert fitted.scale**k == pytest.approx((SIZES**k).mean(), rel=1e-9)


def test_distance_between_measured_and_fitted():
    fitted = fit(SIZES, "grady")
    model, n = 1 - np.exp(-SIZES / SIZES.mean()), len(SIZES)
    below, above = np.arange(n) / n, np.arange(1, n + 1) / n
    assert fitted.distance == pytest.approx(max(np.abs(model - below).max(), np.abs(model - above).max()))


def test_few_or_equal_fragments_have_no_fit():
    assert fit(SIZES[:4], "weibull") is None
    assert fit(np.ones(9), "grady") is None


def rows(step, masses, areas, velocities, first=0):
    return pandas.DataFrame({"step": step, "time": step * 1e-6, "fragment": range(first, first + len(masses)),
                             "mass": masses, "area": areas, "velocity_x": [v[0] for v in velocities], "velocity_y": [v[1] for v in velocities]})


def test_two_fragments_that_part():
    fragments = rows(10, [1.0, 3.0], [4.0, 9.0], [(4.0, 1.0), (0.0, 1.0)])
    measured = measures(fragments)  # the centre of mass moves with (1, 1)
    assert measured["speed"] == pytest.approx([3.0, 1.0])
    assert measured["size"] == pytest.approx([2.0, 3.0])
    table = fragment_table(pandas.concat([rows(0, [4.0], [13.0], [(1.0, 1.0)]), fragments]))
    assert table["fragments"].tolist() == [1, 2] and table["step"].tolist() == [0, 10]
    assert table["mean_mass"].tolist() == [4.0, 2.0] and table["largest_mass"].tolist() == [4.0, 3.0]
    assert table["mean_speed"].to_numpy() == pytest.approx([0.0, 2.0])
    assert table["size_weibull_scale"].isna().all()


def test_what_has_eroded_is_no_fragment():
    fragments = rows(10, [1.0, 3.0], [4.0, 9.0], [(4.0, 1.0), (0.0, 1.0)])
    eroded = rows(10, [7.0], [5.0], [(-30.0, 2.0)], first=-1)
    both = pandas.concat([fragments, eroded])
    assert measures(both)["speed"] == pytest.approx([3.0, 1.0])
    pandas.testing.assert_frame_equal(fragment_table(both), fragment_table(fragments))
    nothing_left = fragment_table(eroded)
    assert nothing_left["fragments"].tolist() == [0] and nothing_left["mean_mass"].isna().all()


def test_the_table_of_a_run(results):
    table = results.fragment_statistics
    assert table["fragments"].iloc[-1] == results.summary["fragments"]
    assert (table["mean_mass"] * table["fragments"]).to_numpy() == pytest.approx(table["mean_mass"].iloc[0])
    assert table["mass_grady_scale"].iloc[-1] == pytest.approx(table["mean_mass"].iloc[-1])
    assert 0 < table["size_weibull_distance"].iloc[-1] < 1
