"""Rows of levels, one of each feature, such that any two levels that go together meet in a row."""

import random

from features import FEATURES, allowed_pairs, goes_with, pair

ROWS = 100  # of a table; each table has all pairs


def random_row(rng, chosen=()):
    """A row that begins with the levels chosen, the others at random."""
    row = dict(chosen)
    for feature in rng.sample(list(FEATURES), len(FEATURES)):
        if feature not in row:
            row[feature] = rng.choice([level for level in FEATURES[feature] if goes_with(row, feature, level)])
    return row


def pairs_of(row):
    items = sorted(row.items())
    return {(one, other) for n, one in enumerate(items) for other in items[n + 1:]}


def greedy_row(rng, open_pairs):
    """A row that begins with a pair not met yet; each further level meets the most of those."""
    row = dict(rng.choice(sorted(open_pairs, key=str)))
    for feature in rng.sample(list(FEATURES), len(FEATURES)):
        if feature not in row:
            levels = [level for level in FEATURES[feature] if goes_with(row, feature, level)]
            met = lambda level: sum(pair(feature, level, *other) in open_pairs for other in row.items())
            row[feature] = max(rng.sample(levels, len(levels)), key=met)
    return row


def table(number):
    """Rows of the table with this number, ROWS of them, and how many have all pairs. The table depends on the number alone."""
    rng = random.Random(number)
    open_pairs, rows = allowed_pairs(), []
    while open_pairs:
        row = max((greedy_row(rng, open_pairs) for _ in range(4)), key=lambda row: len(open_pairs & pairs_of(row)))
        rows.append(row)
        open_pairs -= pairs_of(row)
    if len(rows) > ROWS:
        raise RuntimeError(f"all pairs take {len(rows)} rows, more than {ROWS}: make ROWS larger")
    return rows + [random_row(rng) for _ in range(ROWS - len(rows))], len(rows)

