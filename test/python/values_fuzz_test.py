# SPDX-License-Identifier: Apache-2.0
"""Some rounds of fuzz_values.py, with fixed seeds."""
import pytest

import fuzz_values


@pytest.mark.parametrize("seed", range(1, 41))
def test_values_come_back_or_are_refused(seed):
    assert fuzz_values.play(seed) > 0


def test_a_lost_entry_is_noticed():
    assert not fuzz_values.same({"a": 1}, {"a": 1, "b": 2}) and not fuzz_values.same([1], [1.0]) and not fuzz_values.same([True], [1])
    assert fuzz_values.size({"a": [1, 2], (1, 2): 3}) == 9
