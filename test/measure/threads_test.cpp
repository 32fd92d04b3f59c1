// SPDX-License-Identifier: Apache-2.0
// The same seed gives the same bits on any number of threads, for every engine: draws, their order,
// their weights and the evidence of runs on 1, 2, 3, 7 and 16 threads are compared as text and
// bits. One line an engine and program, then "N passed, M failed".
#include <fmt/format.h>
#include <chancel/chancel.hpp>

#include <bit>
#include <string>
#include <vector>

namespace {

struct Row {
  const char* engine;
  const char* options;
  bool continuous = false;  // for programs without discrete draws: chains side by side
  bool seats = false;       // for programs that draw from a CRP: likewise
  std::uint64_t samples = 320;
};

const Row kRows[] = {
    {"importance", ""},
    {"smc", ":number-of-particles 300"},  // several slices of a population
    {"smc", ":number-of-particles 300 :resampling :multinomial :ess-threshold 0.5"},
    {"smc", ":number-of-particles 7"},  // sweeps side by side
    {"smc", ":number-of-particles 300 :move 2"},
    {"smc", ":number-of-particles 7 :move 2"},
    {"pimh", ":number-of-particles 50"},
    {"pgibbs", ":number-of-particles 150"},
    {"pgibbs", ":number-of-particles 20 :rejuvenate 2"},
    {"pgas", ":number-of-particles 150"},
    {"ipmcmc", ":number-of-nodes 5 :number-of-csmc-nodes 2 :number-of-particles 20"},
    {"pgibbs", ":number-of-particles 150 :parameters :auto"},
    {"pgas", ":number-of-particles 20 :parameters :auto"},
    {"ipmcmc",
     ":number-of-nodes 5 :number-of-csmc-nodes 2 :number-of-particles 20 :parameters :auto"},
    {"pmmh", ":number-of-particles 300", false, false, 30},
    {"pcascade", ":number-of-particles 300"},
    {"lmh", ""},
    {"rmh", ""},
    {"almh", ""},
    {"plmh", ":number-of-threads 3"},
    {"palmh", ":number-of-threads 3"},
    {"lais", ":number-of-chains 5 :burn 50"},
    {"lais", ":number-of-chains 5 :burn 50", true},
    {"bbvb", ":number-of-particles 20"},
    {"bbvb", ":number-of-particles 20", true},
    {"siman", ""},
    {"bamc", ""},
    {"anneal", ":number-of-particles 160 :number-of-chains 20"},
    {"anneal", ":number-of-particles 100 :number-of-chains 10", true},
    {"anneal", ":number-of-particles 100 :number-of-chains 10 :move :block", true},
    {"anneal", ":number-of-particles 100 :number-of-chains 10 :move :single-site", true},  // noise
    {"nuts", "", true},
    {"block", "", true},
    {"laplace", "", true},
    {"map", "", true},
    {"partition", ":moves 3", false, true},
    {"enumerate", ""},
    {"rejection", ""},
};

std::string fingerprint(chancel::Model& model, const Row& row, unsigned threads) {
  chancel::InferOptions options;
  options.algorithm = row.engine;
  options.engine_options = chancel::read_engine_options(row.options);
  options.samples = row.samples;
  options.seed = 5;
  options.threads = threads;
  if ((row.continuous && options.algorithm != "map") || row.seats)
    options.chains = 3;  // which is one point
  std::string out;
  chancel::Inference run = model.infer(model.default_query(), options);
  while (const chancel::Draw* draw = run.next()) {
    out += fmt::format("{:016x} {} {}", std::bit_cast<std::uint64_t>(draw->log_weight), draw->sweep,
                       draw->chain);
    for (const chancel::Predict& p : draw->predicts) out += " " + p.label + " " + p.value.print();
    out += " " + draw->result.print() + "\n";
  }
  if (const auto z = run.statistics().log_evidence)
    out += fmt::format("{:016x}\n", std::bit_cast<std::uint64_t>(*z));
  return out;
}

std::size_t first_difference(const std::string& a, const std::string& b) {
  std::size_t line = 1;
  for (std::size_t i = 0; i < a.size() && i < b.size() && a[i] == b[i]; ++i) line += a[i] == '\n';
  return line;
}

}  // namespace

int main() {
  int passed = 0, failed = 0;
  for (const chancel::EngineInfo& e : chancel::engines()) {
    bool found = false;
    for (const Row& row : kRows) found |= e.name == row.engine;
    if (!found) fmt::print("FAIL engine {} has no row\n", e.name), ++failed;
  }
  for (const char* program : {"hmm/hmm.clj", "unaligned/unaligned.clj", "two-state/two-state.clj",
                              "lgss/lgss.clj", "crp/crp.clj"}) {
    chancel::Model model =
        chancel::Model::compile_file(std::string(CHANCEL_MODELS) + "/" + program);
    for (const Row& row : kRows) {
      if (row.continuous != (std::string(program) == "lgss/lgss.clj")) continue;
      if (row.seats != (std::string(program) == "crp/crp.clj")) continue;
      // Rejection keeps 3 of 10^13 executions of hmm.
      const std::string engine = row.engine;
      if (std::string(program) == "hmm/hmm.clj" && engine == "rejection") continue;
      std::string why;
      try {
        const std::string one = fingerprint(model, row, 1);
        if (one.empty()) why = "no draws";
        for (unsigned threads : {1u, 2u, 3u, 7u, 16u}) {
          const std::string many = fingerprint(model, row, threads);
          if (many != one)
            why += fmt::format(" {} threads: differs at draw {}", threads,
                               first_difference(one, many));
        }
      } catch (const chancel::Error& e) {
        why = e.what();
      }
      fmt::print("{} {:12} {:60} {} {}\n", why.empty() ? "ok  " : "FAIL", row.engine, row.options,
                 program, why);
      ++(why.empty() ? passed : failed);
    }
  }
  fmt::print("{} passed, {} failed\n", passed, failed);
  return failed ? 1 : 0;
}
