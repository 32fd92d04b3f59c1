// SPDX-License-Identifier: Apache-2.0
// Plots become charts with the right numbers; values become short text.
#include "report/chart.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "chancel/worksheet.hpp"
#include "report/draws_view.hpp"
#include "report/short_text.hpp"

namespace chancel::report {
namespace {

template <class See>
void evaluated(const std::string& form, See&& see) {
  Script script({}, 1);
  script.evaluate_forms(form, "f", [&](const Form& f) {
    EXPECT_FALSE(f.failed()) << f.errors[0].text;
    see(f.value);
    return true;
  });
}

Chart chart(const std::string& form) {
  Chart out;
  evaluated(form, [&](const ValueView& v) {
    const auto made = chart_of(v);
    ASSERT_TRUE(made) << form;
    out = *made;
  });
  return out;
}

double sum(const std::vector<double>& xs) { return std::accumulate(xs.begin(), xs.end(), 0.0); }

TEST(ChartTest, counts_bins) {
  const Chart c = chart("(histogram [0 0.1 0.9 1.0 2.0] :bins 2)");
  ASSERT_EQ(c.series.size(), 1u);
  EXPECT_EQ(c.series[0].x, (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(c.series[0].y, (std::vector<double>{3, 2}));  // the last edge belongs to its bin
  EXPECT_EQ(c.y.low, 0);
  const Chart p = chart("(histogram [0 0.1 0.9 1.0 2.0] :bins 2 :normalize :probability)");
  EXPECT_DOUBLE_EQ(p.series[0].y[0], 0.6);
  const Chart d = chart(
      "(histogram [0 1 3 4 4] :bins 2 :plot-range [[0 4] :all] :normalize :probability-density)");
  EXPECT_DOUBLE_EQ(2 * sum(d.series[0].y), 1);
}

TEST(ChartTest, chooses_bins) {
  const Chart whole = chart("(histogram [1 2 2 3 3 3])");  // integers have bins of their own
  EXPECT_EQ(whole.series[0].x, (std::vector<double>{0.5, 1.5, 2.5, 3.5}));
  EXPECT_EQ(whole.series[0].y, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(chart("(histogram [7.5 7.5])").series[0].y.size(), 2u);
  EXPECT_TRUE(chart("(histogram [])").series[0].y.empty());
  const Chart many = chart("(histogram (map (fn [i] (Math/sin i)) (range 10000)))");
  EXPECT_GE(many.series[0].y.size(), 15u);
  EXPECT_LE(many.series[0].y.size(), 80u);
  EXPECT_EQ(sum(many.series[0].y), 10000);
  const Chart odd = chart("(histogram [1.5 Double/NaN 2 Double/POSITIVE_INFINITY])");
  EXPECT_EQ(sum(odd.series[0].y), 2);
  EXPECT_EQ(odd.notes, std::vector<std::string>{"2 of 4 numbers are not finite"});
}

TEST(ChartTest, reads_options) {
  const Chart c = chart(
      "(list-plot [[1 2] [3 4]] :joined true :color \"#aa0000\" :opacity 0.3 :plot-size 300 "
      ":aspect-ratio 2 :plot-range [[0 10] :all] :x-title \"x\" :y-title \"y\")");
  EXPECT_EQ(c.series[0].shape, Series::Shape::Line);
  EXPECT_EQ(c.series[0].colour, "#aa0000");
  EXPECT_DOUBLE_EQ(c.series[0].opacity, 0.3);
  EXPECT_EQ(c.width, 300);
  EXPECT_EQ(c.height, 150);
  EXPECT_EQ(c.x.low, 0);
  EXPECT_EQ(c.x.high, 10);
  EXPECT_LT(c.y.low, 2);
  EXPECT_GT(c.y.high, 4);
  EXPECT_EQ(c.x_title + c.y_title, "xy");
  EXPECT_TRUE(c.notes.empty());
  EXPECT_EQ(chart("(list-plot [1] :colr \"red\")").notes[0],
            "the option :colr is not known; did you mean :color?");
  EXPECT_EQ(chart("(list-plot [1] :color \"url(x:y)\")").series[0].colour, "");
}

TEST(ChartTest, composes) {
  const Chart c = chart(
      "(compose (histogram [1.5 2.5] :bins 2 :plot-size 200 :x-title \"a\") "
      "(compose (list-plot [[0 9]]) (plot inc [0 5] :x-title \"b\")))");
  ASSERT_EQ(c.series.size(), 3u);
  EXPECT_EQ(c.series[2].palette, 2u);
  EXPECT_EQ(c.width, 200);
  EXPECT_EQ(c.x_title, "a");
  EXPECT_LE(c.x.low, 0);
  EXPECT_GE(c.x.high, 5);
  EXPECT_GE(c.y.high, 9);
}

TEST(ChartTest, bars_stand_over_their_names) {
  const Chart c = chart("(compose (bar-chart [:a :b] [1 2]) (bar-chart [:b :c] [3 4]))");
  EXPECT_EQ(c.categories, (std::vector<std::string>{":a", ":b", ":c"}));
  EXPECT_EQ(c.series[1].x, (std::vector<double>{1, 2}));
}

TEST(ChartTest, is_bounded) {
  const Chart points = chart("(list-plot (range 100000))");
  EXPECT_LE(points.series[0].x.size(), 4000u);
  EXPECT_EQ(points.notes, std::vector<std::string>{"one of 25 points is drawn"});
  const Chart line =
      chart("(list-plot (map (fn [i] (if (= i 77777) 5 0)) (range 100000)) :joined true)");
  EXPECT_LE(line.series[0].x.size(), 1500u);
  EXPECT_EQ(*std::max_element(line.series[0].y.begin(), line.series[0].y.end()),
            5);  // no peak is lost
}

TEST(ChartTest, has_a_unit_at_the_ends_of_the_range) {
  const Chart c = chart("(list-plot [1e308 -1.7e308 2] :y-title \"y\")");
  EXPECT_EQ(c.y_title, "y × 1e308");
  EXPECT_TRUE(std::isfinite(c.y.size()));
  EXPECT_NEAR(c.series[0].y[0], 1, 1e-12);
  const Chart h = chart("(histogram [1e-310 2e-310 4e-310] :bins 3)");
  EXPECT_EQ(sum(h.series[0].y), 3);
  EXPECT_GT(h.x.size(), 0.1);
}

TEST(ChartTest, ticks_are_round) {
  EXPECT_EQ(ticks({0, 1}, 5), (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
  EXPECT_EQ(tick_texts(ticks({0, 1}, 5)).back(), "1.0");
  EXPECT_EQ(tick_texts(ticks({-300, 500}, 4)),
            (std::vector<std::string>{"-200", "0", "200", "400"}));
  EXPECT_GE(ticks({0.5, 9.5}, 2).size(), 2u);
  EXPECT_TRUE(ticks({1, 1}, 5).empty());
  for (const double huge : {1e300, 1e-300})
    for (const std::string& text : tick_texts(ticks({0, huge}, 4))) EXPECT_LT(text.size(), 12u);
}

std::string shortened(const std::string& form, std::size_t most) {
  std::string out;
  evaluated(form, [&](const ValueView& v) { out = short_text(v, most); });
  return out;
}

TEST(ShortText, cuts_with_an_ellipsis) {
  EXPECT_EQ(shortened("[1 2 3]", 100), "[1 2 3]");
  EXPECT_EQ(shortened("{:a 1 :b \"x\"}", 100), "{:a 1, :b \"x\"}");
  EXPECT_EQ(shortened("(range 1000)", 20), "(0 1 2 3 4 5 6 7 …)");
  EXPECT_EQ(shortened("(range)", 20), "(0 1 2 3 4 5 6 7 …)");
  EXPECT_EQ(shortened("#{1}", 20), "#{1}");
  EXPECT_EQ(shortened("(apply str (repeat 100 \"ä\"))", 20), "\"ääääääää…\"");
  const std::string both = shortened("{:xs (range 1000) :ys (range 1000)}", 60);
  EXPECT_NE(both.find(":ys (0"), std::string::npos) << both;  // one does not use up the room
  for (const int most : {0, 1, 5, 40, 400})
    EXPECT_LE(shortened("(vec (repeat 100 (vec (range 100))))", most).size(), most + 120u);
}

TEST(ShowText, never_prints_a_map_of_a_megabyte) {
  evaluated("(histogram (range 100000))", [](const ValueView& v) {
    const std::string text = show_text(v);
    EXPECT_LT(text.size(), 6000u);
    EXPECT_NE(text.find("┤"), std::string::npos);
  });
  evaluated("(vec (range 1000000))",
            [](const ValueView& v) { EXPECT_LT(show_text(v).size(), 700u); });
  evaluated("(bar-chart [:heads :tails] [3 1])", [](const ValueView& v) {
    EXPECT_EQ(show_text(v, {30, 600, false}), ":heads ███████████████ 3.000\n:tails █████ 1.000");
  });
  evaluated(
      "(table-view [[\"a\" 1.5] [\"bb\" 20]] :columns [\"name\" \"x\"])",
      [](const ValueView& v) { EXPECT_EQ(show_text(v), "name      x\na     1.500\nbb       20"); });
}

TEST(DrawsView, summarises_draws) {
  evaluated(
      "(map (fn [i] {:log-weight (if (= i 3) ##-Inf 0.0) :result i :predicts [[:x i] [:y :a]]}) "
      "(range 4))",
      [](const ValueView& v) {
        ASSERT_TRUE(are_draws(v));
        const Summary s = summary_of_draws(v);
        ASSERT_EQ(s.estimates.size(), 2u);
        EXPECT_EQ(s.estimates[0].label(), ":x");
        EXPECT_DOUBLE_EQ(s.estimates[0].mean, 1);
        EXPECT_EQ(draws_count_text(s), "4 draws, effective sample size 3 by weight");
      });
  for (const char* other : {"[1 2]", "[{:result 1} {:result 2}]", "(doquery :lmh (query 1) nil)"})
    evaluated(other, [&](const ValueView& v) { EXPECT_FALSE(are_draws(v)) << other; });
}

}  // namespace
}  // namespace chancel::report
