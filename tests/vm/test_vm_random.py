"""Tests of both random streams against the Python model of the original's generator."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from forthvm.core.vm import VM
from tests.vm.vm_model import INT_MAX, INT_MIN, RandomStream

# With the seed 150889, the generator's increment, the first number is computed from 0.
seeds = st.one_of(st.integers(INT_MIN, INT_MAX), st.integers(0, 200), st.just(150889))
ranges = st.tuples(st.integers(-1000, 1000), st.integers(-1000, 1000))


@given(seed=seeds, draws=st.lists(ranges, min_size=1, max_size=120))
def test_first_stream_matches_the_model(vm: VM, seed: int, draws: list[tuple[int, int]]) -> None:
    model = RandomStream(seed)
    vm.call("SEED!", seed)
    assert [vm.call("RAND-WITHIN", low, high)[0] for low, high in draws] == [
        model.within(low, high) for low, high in draws
    ]
    assert vm.call("SEED@") == (seed,)


@given(first_seed=seeds, second_seed=seeds, count=st.integers(1, 30))
def test_streams_are_independent(vm: VM, first_seed: int, second_seed: int, count: int) -> None:
    first, second = RandomStream(first_seed), RandomStream(second_seed)
    vm.call("SEED!", first_seed)
    vm.call("SEED2!", second_seed)
    for _ in range(count):
        assert vm.call("RAND-WITHIN", 0, 999) == (first.within(0, 999),)
        assert vm.call("RAND-WITHIN2", 0, 9) == (second.within(0, 9),)
        assert vm.call("FRAND") == (first.frand(),)


def test_default_seed_is_0() -> None:
    model = RandomStream(0)
    fresh = VM(library="core", output=lambda text: None)
    assert [fresh.call("RAND-WITHIN", 0, 100)[0] for _ in range(200)] == [
        model.within(0, 100) for _ in range(200)
    ]


@given(seed=seeds)
def test_option_seed_sets_both_streams_and_the_clock(seed: int) -> None:
    first, second = RandomStream(seed), RandomStream(seed)
    seeded = VM(library=None, seed=seed, output=lambda text: None)
    assert seeded.call("RAND-WITHIN", 0, 100) == (first.within(0, 100),)
    assert seeded.call("RAND-WITHIN2", 0, 100) == (second.within(0, 100),)
    assert seeded.call("SYSTEM-TIME") == (seed,)
