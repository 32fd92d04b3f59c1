// SPDX-License-Identifier: Apache-2.0
// What ranks of a tempered run tell each other, with threads as ranks.
#include "tempering/tempered_ranks.hpp"

#include <gtest/gtest.h>

#include "../ranks/on_ranks.hpp"

namespace chancel {
namespace {

template <class Work>
void on_tempered_ranks(unsigned size, Work work) {
  on_ranks(size, [&](Ranks& ranks) {
    TemperedRanks tempered(&ranks);
    work(tempered);
  });
}

Diagnostic failure(const char* what) { return {Code::R001, Severity::Error, {}, what, "", {}}; }

TEST(TemperedRanks, each_item_is_run_once) {
  for (unsigned size = 1; size <= 5; ++size)
    for (std::size_t count = 0; count < 12; ++count)
      on_tempered_ranks(size, [&](TemperedRanks& ranks) {
        ByteWriter out;
        for (std::size_t n = 0; n < ranks.share_of(count); ++n) out.number(ranks.item(n));
        std::vector<int> seen(count);
        for (std::size_t n = 0; n < ranks.share_of(count); ++n) ++seen[ranks.item(n)];
        const auto failed = ranks.exchange(std::nullopt, out, [&](unsigned r, ByteReader& in) {
          for (std::size_t i = r; i < count; i += ranks.size()) {
            EXPECT_EQ(in.number(), i);
            EXPECT_EQ(ranks.rank_of(i), r);
            EXPECT_NE(ranks.rank(), r);
            ++seen[i];
          }
        });
        EXPECT_FALSE(failed);
        for (const int times : seen) EXPECT_EQ(times, 1);
      });
}

TEST(TemperedRanks, all_have_the_failure_that_one_process_meets_first) {
  on_tempered_ranks(4, [](TemperedRanks& ranks) {
    std::optional<TemperedRanks::Failure> mine;
    if (ranks.rank() == 1) mine = {9, failure("later")};
    if (ranks.rank() == 2) mine = {6, failure("sooner")};
    ByteWriter out;
    const auto failed =
        ranks.exchange(mine, out, [](unsigned, ByteReader&) { FAIL() << "nothing to read"; });
    ASSERT_TRUE(failed);
    EXPECT_EQ(failed->message, "sooner");
  });
}

TEST(TemperedRanks, bytes_that_are_left_over_are_damage) {
  on_tempered_ranks(2, [](TemperedRanks& ranks) {
    ByteWriter out;
    out.number(1);
    const auto failed = ranks.exchange(std::nullopt, out, [](unsigned, ByteReader&) {});
    ASSERT_TRUE(failed);
    EXPECT_EQ(failed->code, Code::X001);
  });
}

TEST(TemperedRanks, the_first_takes_what_others_give) {
  on_tempered_ranks(3, [](TemperedRanks& ranks) {
    if (!ranks.first()) return ranks.give(std::string(ranks.rank(), 'x'), std::nullopt);
    std::size_t bytes = 0;
    EXPECT_FALSE(ranks.take([&](unsigned r, ByteReader& in) { bytes += in.raw(r).size(); }));
    EXPECT_EQ(bytes, 3u);
  });
  on_tempered_ranks(3, [](TemperedRanks& ranks) {
    if (!ranks.first())
      return ranks.give({}, ranks.rank() == 2 ? std::optional(failure("no bytes")) : std::nullopt);
    const auto failed = ranks.take([](unsigned, ByteReader&) {});
    ASSERT_TRUE(failed);
    EXPECT_EQ(failed->message, "no bytes");
  });
}

}  // namespace
}  // namespace chancel
