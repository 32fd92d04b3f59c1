// SPDX-License-Identifier: Apache-2.0
// The segments of a query: where executions leave them, and what their texts depend on.
#include "native/segments.hpp"

#include "walks.hpp"

namespace chancel::native {
namespace {

Segments segments_of(AtPrefix& at, bool futures = false) {
  return make_segments(at.prefix(), at.setup().image->globals.data(), &at.heap(),
                       at.machine().context_for(at.prefix().at), {.futures = futures});
}
std::string text_of(const Segments& segments) {
  std::string out;
  for (const std::string& text : segments.texts) out += text;
  return out;
}
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Segments, OneSegmentLeadsFromEachObserveToTheNext) {
  AtPrefix at(kWalk);
  const Segments s = segments_of(at);
  EXPECT_TRUE(s.worthwhile);
  ASSERT_EQ(s.points.size(), 3u);  // the prefix and two observes
  ASSERT_EQ(s.exits.size(), 3u);
  EXPECT_EQ(s.exits[0].points, std::vector<std::size_t>{1});
  EXPECT_EQ(s.exits[1].points, std::vector<std::size_t>{2});
  EXPECT_TRUE(s.exits[2].points.empty());
  EXPECT_FALSE(s.exits[1].ends);
  EXPECT_TRUE(s.exits[2].ends);
  for (const segment::Exits& e : s.exits) {
    EXPECT_TRUE(e.aligned());
    EXPECT_TRUE(e.left.empty());  // nothing is left to the interpreter
  }
  EXPECT_NE(s.points[1]->site, s.points[2]->site);
}

TEST(Segments, ARowHoldsWhatIsReadLater) {
  AtPrefix at(kWalk);
  const Segments s = segments_of(at);
  EXPECT_EQ(s.points[0]->numbers, 0u);
  EXPECT_EQ(s.points[1]->numbers, 1u);  // x
  EXPECT_EQ(s.points[2]->numbers, 2u);  // x and y
  EXPECT_EQ(s.points[2]->values, 0u);
}

TEST(Segments, ARowHoldsTheFieldsOfAMapThatIsNotMade) {
  AtPrefix at(R"((defquery walk []
    (let [x (sample (normal 0 1))
          state {:place x :seen [x 1]}]
      (observe (normal (:place state) 1) 0.5)
      (let [{:keys [place seen]} state
            [y n] seen]
        (observe (normal (+ place y n) 1) 1.5)
        (predict :state state)))))");
  const Segments s = segments_of(at);
  ASSERT_EQ(s.points.size(), 3u);
  EXPECT_EQ(s.points[1]->virtual_objects.size(), 2u);
  EXPECT_EQ(s.points[1]->values + s.points[1]->pointers, 0u);
  for (const segment::Exits& e : s.exits) EXPECT_TRUE(e.left.empty());
}

TEST(Segments, ParticlesThatPartHaveSeveralExits) {
  AtPrefix at(kParting);
  const Segments s = segments_of(at);
  bool parted = false;
  for (const segment::Exits& e : s.exits) parted = parted || (e.by_particle && !e.aligned());
  EXPECT_TRUE(parted);
}

TEST(Segments, TextsContainNoAddresses) {
  AtPrefix one(kWalk), two(kWalk);
  const std::string text = text_of(segments_of(one));
  EXPECT_EQ(text, text_of(segments_of(two)));
  EXPECT_TRUE(contains(text, "int segment_0(cn_batch* b)"));
  EXPECT_TRUE(contains(text, "int segment_2(cn_batch* b)"));
  EXPECT_FALSE(contains(text, "segment_3"));
}

TEST(Segments, FuturesTakeGivenDraws) {
  AtPrefix at(kWalk);
  EXPECT_FALSE(contains(text_of(segments_of(at)), "int future_1"));
  const std::string text = text_of(segments_of(at, true));
  EXPECT_TRUE(contains(text, "int future_1(cn_batch* b)"));
  EXPECT_FALSE(contains(text, "int future_0"));  // before the first observe nothing is given
}

}  // namespace
}  // namespace chancel::native
