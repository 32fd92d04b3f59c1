// SPDX-License-Identifier: Apache-2.0
#include "report/draws_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/text_table.hpp"

namespace chancel::report {
namespace {

using Kind = ValueView::Kind;
constexpr std::size_t kMostDraws = 1'000'000;
constexpr std::size_t kMostRows = 40;
constexpr std::size_t kMostValues = 6;

bool is_draw(const ValueView& v) {
  if (v.kind() != Kind::Map || v.size() != 3) return false;
  const auto weight = v.get("log-weight");
  const auto predicts = v.get("predicts");
  return weight && weight->is_number() && predicts && v.get("result") &&
         (predicts->kind() == Kind::Vector || predicts->kind() == Kind::List);
}

std::string value_text(const std::string& value) {
  constexpr std::size_t kMost = 30;
  if (value.size() <= kMost) return value;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(value[end]) & 0xC0) == 0x80) --end;
  return value.substr(0, end) + "…";
}

}  // namespace

bool are_draws(const ValueView& value) {
  if (value.kind() != Kind::List && value.kind() != Kind::Vector) return false;
  const auto [first, more] = value.front(2);
  if (first.size() < 2 || !is_draw(first[0])) return false;
  const auto [all, unfinished] = value.front(kMostDraws);
  return !unfinished && std::all_of(all.begin(), all.end(), is_draw);
}

Summary summary_of_draws(const ValueView& draws) {
  SummaryBuilder builder;
  Draw draw;
  for (const ValueView& item : draws.front(kMostDraws).first) {
    draw.log_weight = item.get("log-weight")->number();
    draw.sweep = draw.index;
    draw.predicts.clear();
    draw.result = *item.get("result");
    for (const ValueView& pair : item.get("predicts")->items()) {
      if (pair.kind() != Kind::Vector || pair.size() != 2) continue;
      const std::string label = pair.at(0).print();
      const auto found = std::find_if(draw.predicts.begin(), draw.predicts.end(),
                                      [&](const Predict& p) { return p.label == label; });
      if (found != draw.predicts.end())
        found->value = pair.at(1);
      else
        draw.predicts.push_back({label, pair.at(1)});
    }
    if (draw.predicts.empty()) draw.predicts.push_back({":result", draw.result});
    builder.add(draw);
    ++draw.index;
  }
  return builder.summary();
}

std::string draws_count_text(const Summary& summary) {
  std::string out = fmt::format("{} draws", summary.draws);
  if (summary.weighted)
    out += fmt::format(", effective sample size {:.0f} by weight{}", summary.weight_ess,
                       pareto_k_text(summary.pareto_k));
  return out;
}

std::string draws_view_text(const Summary& summary, bool colour) {
  TextTable reals, discrete;
  reals.add_row({"", "Mean", "StdDev", "5 %", "50 %", "95 %"});
  std::size_t rows = 0, left_out = 0;
  bool has_reals = false;
  std::string other;
  for (const Estimate& row : summary.estimates) {
    if (++rows > kMostRows) {
      ++left_out;
      continue;
    }
    if (row.kind == Estimate::Kind::Real) {
      has_reals = true;
      reals.add_row({row.label(), short_number(row.mean), short_number(row.sd),
                     short_number(row.q5), short_number(row.q50), short_number(row.q95)});
      continue;
    }
    std::vector<Support> values = row.support;
    std::stable_sort(values.begin(), values.end(), [](const Support& a, const Support& b) {
      return a.probability > b.probability;
    });
    std::string text = row.label() + " ";
    for (std::size_t i = 0; i < std::min(values.size(), kMostValues); ++i)
      text += fmt::format(" {}: {:.3f} ", value_text(values[i].value), values[i].probability);
    if (values.size() > kMostValues || row.distinct > values.size()) text += " …";
    text.erase(text.find_last_not_of(' ') + 1);
    other += text + "\n";
  }
  std::string out = has_reals ? reals.text(colour) : "";
  out += other;
  if (left_out > 0) out += fmt::format("… {} more rows\n", left_out);
  return out + draws_count_text(summary) + "\n";
}

}  // namespace chancel::report
