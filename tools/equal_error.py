"""Exact and racing strategies at the same error: how long each takes to the least training error that all of them reach."""
import math

COLUMNS = ["data", "best exact", "ms a sweep", "its sweeps", "best racing", "racing, ms a sweep", "racing, sweeps", "RMSE", "exact / racing"]


def sweeps_to(errors, error):
    """After how many sweeps the error was so low, linear between two sweeps; `errors` are those after each. None where it never was."""
    for n, after in enumerate(errors):
        if after <= error:
            before = errors[n - 1] if n else after
            return n + 1 if n == 0 or before == after else n + (before - error) / (before - after)
    return None


def row(name, runs, racing):
    """One of a table of COLUMNS: `runs` are {strategy: (ms a sweep, [error after each sweep])}, some of them `racing`. Runs that diverged or came
    to no lower error than after their first sweep are left out; None where only one kind is left."""
    runs = {s: (ms, errors) for s, (ms, errors) in runs.items() if all(map(math.isfinite, errors)) and min(errors) < errors[0]}
    error = max((min(errors) for _, errors in runs.values()), default=None)
    reached = {s: sweeps_to(errors, error) for s, (_, errors) in runs.items()}
    kinds = [[s for s in runs if (s in racing) == races] for races in (False, True)]
    if not all(kinds):
        return None
    exact, race = (min(kind, key=lambda s: runs[s][0] * reached[s]) for kind in kinds)
    ratio = runs[exact][0] * reached[exact] / (runs[race][0] * reached[race])
    return [name, exact, runs[exact][0], round(reached[exact], 2), race, runs[race][0], round(reached[race], 2), error, ratio]
