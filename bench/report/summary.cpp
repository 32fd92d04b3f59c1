// SPDX-License-Identifier: Apache-2.0
// What a summary costs. Two statistics, printed as JSON by one command:
// - "table": CPU time of the HMM under smc (1000 particles, 300 000 draws of 17 labels) with the
//   table of its draws, over that of the same run with its draws as CSV that goes nowhere. The bar
//   is 1.25. The median of --turns (5) pairs, each pair in alternating order.
// - "continuous": seconds on two threads for the summary of ten million draws of one continuous
//   label, which are there already. The bar is 1.
// Before a time counts, the posterior and the summary's statistics are compared with the truth.
// It does not measure labels of other kinds, nor draws that go to a run directory.
//
//   summary [--draws N] [--turns N] [--part table|continuous]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <numbers>
#include <string>
#include <vector>

#include "chancel/draw_writer.hpp"
#include "chancel/summary.hpp"

namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void require(bool holds, const char* what) {
  if (holds) return;
  fmt::print(stderr, "summary: {} is wrong\n", what);
  std::exit(1);
}

chancel::InferOptions hmm_options(std::uint64_t draws) {
  chancel::InferOptions options;
  options.algorithm = "smc";
  options.engine_options = {{"number-of-particles", 1000}};
  options.samples = draws;
  options.seed = 1;
  return options;
}

double with_table(chancel::Model& model, std::uint64_t draws) {
  const double begun = cpu_seconds();
  chancel::Inference run = model.infer("hmm", hmm_options(draws));
  chancel::SummaryBuilder builder;
  while (const chancel::Draw* draw = run.next()) builder.add(*draw);
  const chancel::Summary summary = builder.summary(run.statistics());
  const std::string text = chancel::table(summary, run.statistics(), {});
  const double seconds = cpu_seconds() - begun;
  require(summary.draws == draws && summary.estimates.size() == 17 && !text.empty(), "the table");
  const chancel::Support& one = summary.estimates[7].support.at(1);  // exact: 0.5769
  require(std::fabs(one.probability - 0.5769) < 6 * one.mcse + 0.001, "the posterior");
  return seconds;
}

double with_csv(chancel::Model& model, std::uint64_t draws) {
  const double begun = cpu_seconds();
  chancel::Inference run = model.infer("hmm", hmm_options(draws));
  std::size_t bytes = 0;
  const auto writer =
      chancel::make_draw_writer("csv", [&](std::string_view text) { bytes += text.size(); });
  writer->begin({});
  while (const chancel::Draw* draw = run.next()) writer->draw(*draw);
  writer->end();
  const double seconds = cpu_seconds() - begun;
  require(bytes > draws * 17, "the CSV");
  return seconds;
}

struct Times {
  double wall, cpu;
};
Times continuous(std::uint64_t draws) {
  chancel::SummaryBuilder builder;
  chancel::Draw draw;
  draw.predicts.push_back({":x", {}});
  std::uint64_t state = 1;
  const auto uniform = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (static_cast<double>(state >> 11) + 0.5) * 0x1p-53;
  };
  for (std::uint64_t i = 0; i < draws; ++i) {
    draw.index = draw.sweep = i;
    draw.predicts[0].value = chancel::ValueMaker::real(std::sqrt(-2 * std::log(uniform())) *
                                                       std::cos(2 * std::numbers::pi * uniform()));
    builder.add(draw);
  }
  const double begun = wall_seconds(), begun_cpu = cpu_seconds();
  const chancel::Summary summary = builder.summary({}, 2);
  const Times times = {wall_seconds() - begun, cpu_seconds() - begun_cpu};
  const chancel::Estimate& x = summary.estimates.at(0);
  const double n = static_cast<double>(draws);
  require(std::fabs(x.mean) < 6 / std::sqrt(n) && std::fabs(x.sd - 1) < 6 / std::sqrt(n) &&
              std::fabs(x.q95 - 1.6449) < 20 / std::sqrt(n) &&
              std::fabs(x.ess_bulk / n - 1) < 0.1 && std::fabs(x.r_hat - 1) < 0.01,
          "the summary of normal draws");
  return times;
}

}  // namespace

int main(int count, char** words) {
  std::uint64_t draws = 300'000, many = 10'000'000;
  int turns = 5;
  std::string part;
  for (int i = 1; i + 1 < count; i += 2) {
    if (std::strcmp(words[i], "--draws") == 0)
      draws = many = std::strtoull(words[i + 1], nullptr, 10);
    if (std::strcmp(words[i], "--turns") == 0) turns = std::atoi(words[i + 1]);
    if (std::strcmp(words[i], "--part") == 0) part = words[i + 1];
  }
  fmt::print("{{\n");
  if (part != "continuous") {
    chancel::Model model = chancel::Model::compile_file(CHANCEL_SOURCE_DIR "/models/hmm/hmm.clj");
    std::vector<double> ratios, tables, files;
    for (int turn = 0; turn < turns; ++turn) {
      const bool first = turn % 2 == 0;
      const double a = first ? with_table(model, draws) : with_csv(model, draws);
      const double b = first ? with_csv(model, draws) : with_table(model, draws);
      tables.push_back(first ? a : b);
      files.push_back(first ? b : a);
      ratios.push_back(tables.back() / files.back());
    }
    const auto median = [](std::vector<double> x) {
      std::sort(x.begin(), x.end());
      return x[x.size() / 2];
    };
    fmt::print(
        "  \"table\": {{\"draws\": {}, \"cpu_seconds\": {:.3f}, \"csv_cpu_seconds\": {:.3f}, "
        "\"ratio\": {:.3f}, \"bar\": 1.25}}{}\n",
        draws, median(tables), median(files), median(ratios), part.empty() ? "," : "");
  }
  if (part != "table") {
    const Times times = continuous(many);
    fmt::print(
        "  \"continuous\": {{\"draws\": {}, \"threads\": 2, \"seconds\": {:.3f}, "
        "\"cpu_seconds\": {:.3f}, \"bar\": 1}}\n",
        many, times.wall, times.cpu);
  }
  fmt::print("}}\n");
  return 0;
}
