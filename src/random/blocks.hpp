// SPDX-License-Identifier: Apache-2.0
// Many blocks of random numbers at once, by vector instructions of the processor at hand: the same numbers
// as one by one, in a fifth to a half of the time.
#pragma once
#include <cstddef>
#include <cstdint>

namespace chancel {

// The blocks of the counters (low + i << 32, high) for i below count: the first blocks of neighbouring slots
// (random/stream.hpp). first[i] and second[i] are the two words of a block.
void blocks_of_slots(std::uint64_t low, std::uint64_t high, std::uint64_t key, std::size_t count,
                     std::uint64_t* first, std::uint64_t* second);
// The blocks of the counters (low, high + i): the next blocks of one stream.
void blocks_in_a_row(std::uint64_t low, std::uint64_t high, std::uint64_t key, std::size_t count,
                     std::uint64_t* first, std::uint64_t* second);

}  // namespace chancel
