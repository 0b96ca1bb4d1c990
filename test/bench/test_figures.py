# SPDX-License-Identifier: BSD-3-Clause
"""tofu-bench figures: what is compared, and how the verdict comes about."""

import json

import pytest


def test_bare_figure__is_measured_with_its_peer(bench, needs, tmp_path):
    needs("utofu")
    path = tmp_path / "f.json"
    done = bench("figures", "--only", "put_piggyback 8 B, half", "--rounds", "1", "--seconds", "0.02", "--json",
                 str(path))
    assert done.returncode == 0, done.stderr
    figure, = json.loads(path.read_text())["figures"]
    assert figure["ratio"] > 0
    assert figure["goal"] == "<= 1.5x"


class Fake:
    """A launcher that gives rates in turn."""

    def __init__(self, rates):
        self.rates = iter(rates)

    def run(self, backend, plan):
        from tofu_bench.launch import Outcome
        rate = next(self.rates)
        return Outcome(points=[{"threads": 1, "rate_Mps": rate, "lat_ns_p50": 1e3 / rate, "wrong_bytes": 0}])


@pytest.mark.parametrize("ours, reached", ((0.96, True), (0.94, False)))
def test_verdict__is_of_the_median_ratio(ours, reached):
    from tofu_bench import figures
    comparison = next(c for c in figures.comparisons() if c.title == "UCP put 8 B, rate")
    # The machine is twice as fast in the second round and disturbed in the third.
    rates = [ours, 1, 2 * ours, 2, 0.1, 1]
    figure = figures.compare(Fake(rates * 2), comparison, 3, 0.1, lambda words: None)
    assert figure.ratio == pytest.approx(ours)
    assert figure.reached is reached


def test_goals__are_those_of_the_project():
    from tofu_bench import figures
    goals = sorted((c.goal, c.at_most) for c in figures.comparisons())
    assert goals == sorted([(1.5, True), (1 / 0.95, True), (0.95, False), (7, False), (7, False), (1.0, False),
                            (0.9, False), (0.9, False), (1.15, True), (1.15, True), (1.15, True),
                            (2.5, True), (0.85, False), *[(0.1, True), (1.0, True), (1.0, True)] * 2])


def test_instructions__are_counted(needs):
    needs("utofu")
    from conftest import BUILD
    from tofu_bench import instructions
    from tofu_bench.launch import Launcher
    assert 20 < instructions.put_piggyback(Launcher(BUILD)) < 400


def test_puts_of_several_queues__write_no_line_in_common(needs):
    needs("utofu")
    from conftest import BUILD
    from tofu_bench import instructions
    from tofu_bench.launch import Launcher
    lines, common = instructions.lines_in_common(Launcher(BUILD), 24)
    assert lines >= 24 and common == 0


def test_barriers__are_compared_with_shared_memory(bench, needs, tmp_path):
    needs("utofu")
    path = tmp_path / "f.json"
    done = bench("figures", "--only", "VBG barrier", "--rounds", "1", "--json", str(path))
    assert done.returncode == 0, done.stderr
    figure, = json.loads(path.read_text())["figures"]
    assert figure["ratio"] > 0 and figure["goal"] == "<= 1.5x"


def test_instructions_of_another_function__are_not_taken_for_zero(needs):
    needs("utofu")
    from conftest import BUILD
    from tofu_bench import instructions
    from tofu_bench.backends import BACKENDS
    from tofu_bench.launch import Launcher, LaunchError
    with pytest.raises(LaunchError, match="saw no call"):
        instructions.count(Launcher(BUILD), BACKENDS["utofu"], "nonesuch", "tofu-bench-put-piggyback")
