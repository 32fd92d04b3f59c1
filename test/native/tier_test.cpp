// SPDX-License-Identifier: Apache-2.0
// Native code gives the bits of the interpreter: draws, weights, evidence and the count of applications,
// for the programs of models/ under every engine that has populations or whole executions, on one thread and several.
// Then again with every second, and every fifth, particle left to the interpreter, so that executions change
// hands in both directions at every resume point. A program that is never run natively fails,
// unless it is listed as such. One line a program, then "N passed, M failed".
#include <fmt/format.h>

#include <bit>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "counted_tier.hpp"
#include "engines/registry.hpp"
#include "native/compilation.hpp"
#include "runs/doqueries.hpp"
#include "runs/query_stream.hpp"
#include "runs/run_setup.hpp"
#include "session/session.hpp"
#include "value/print.hpp"

namespace {

using namespace chancel;

constexpr std::uint64_t kDraws = 1200;

struct Text final : Sink {
  void draw(const EngineDraw& d) override {
    if (draws == kDraws) return;  // where a batch ends may depend on the heap
    text += fmt::format("{:016x} {} {}", std::bit_cast<std::uint64_t>(d.log_weight), d.sweep,
                        d.applications);
    for (const Predicts* p = d.predicts; p; p = p->previous)
      text += " " + show(p->label) + " " + show(p->value);
    text += " " + show(d.result) + "\n";
    ++draws;
  }
  std::string text;
  std::uint64_t draws = 0;
};

struct Way {
  unsigned threads;
  std::uint32_t leaves;
};
struct Setting {
  const char* engine;
  std::vector<OptionValue> options;
  std::vector<Way> ways{{1, 0}, {3, 0}, {1, 2}, {1, 5}};
  bool picky = false;    // it cannot do all programs
  bool futures = false;  // it has futures
};
std::vector<Setting> rows() {
  const auto particles = [](int n) {
    return OptionValue{"number-of-particles", Value::integer(n)};
  };
  return {{"smc", {particles(300)}},
          {"smc",
           {particles(260),
            {"resampling", Value::keyword(intern("multinomial"))},
            {"ess-threshold", Value::real(0.5)}}},
          {"smc", {particles(7)}},
          {"pimh", {particles(20)}},
          {"pgibbs", {particles(150)}},
          {"ipmcmc",
           {particles(20),
            {"number-of-nodes", Value::integer(4)},
            {"number-of-csmc-nodes", Value::integer(2)}}},
          {"importance", {}, {{1, 0}, {2, 0}, {3, 0}, {7, 0}, {1, 2}, {1, 5}, {3, 3}}},
          {"pcascade", {particles(300)}, {{1, 0}, {2, 0}, {3, 0}, {7, 0}, {1, 2}, {1, 5}, {3, 3}}},
          {"pmmh", {particles(40)}, {{1, 0}, {2, 0}, {3, 0}, {7, 0}, {1, 2}, {1, 5}, {3, 3}}, true},
          {"pmmh", {particles(150), {"blocks", Value::integer(1)}}, {{1, 0}, {3, 2}}, true},
          {"pgas", {particles(40)}, {{1, 0}, {1, 2}, {1, 3}, {1, 5}}, false, true},
          {"pgas",
           {particles(240)},
           {{1, 0}, {2, 0}, {3, 0}, {7, 0}, {2, 2}, {3, 3}, {7, 5}},
           false,
           true},
          {"rejection", {{"log-bound", Value::real(2)}}, {{1, 0}, {3, 2}}}};
}

// Of a program that is for large populations: their garbage is collected while particles stand at observes.
std::vector<Setting> large_rows() {
  const std::vector<Way> ways = {{1, 0}, {2, 0}, {3, 0}, {1, 3}, {2, 7}};
  const OptionValue particles{"number-of-particles", Value::integer(9000)};
  return {{"smc", {particles}, ways},
          {"smc",
           {particles,
            {"resampling", Value::keyword(intern("multinomial"))},
            {"ess-threshold", Value::real(0.5)}},
           ways}};
}

// What a run gives, as text; its failure, too.
std::string fingerprint(const std::string& path, const Setting& row, NativeUse use,
                        unsigned threads, std::uint32_t leaves) {
  Session session(std::size_t{2} << 30, 1, make_doqueries);
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  LoadResult loaded;
  if (!session.load(text.str(), path, std::nullopt, LoadMode::Definitions, &loaded) ||
      loaded.queries.empty())
    return "";
  const QuerySignature& query = loaded.queries.back();
  RunSetup setup = *setup_run(
      session, query, session.globals().value(intern(query.name->full + "-value")), StreamName{7});
  setup.threads = threads;
  setup.wanted_draws = kDraws;
  setup.native = use;
  setup.native_tier = CountedTier::make;
  TestProbe probe;
  probe.native_leaves = leaves;
  setup.probe = &probe;
  RunHost host(session, setup.image);
  setup.run = host.run();
  const auto engine = make_engine(row.engine, setup, row.options, session.diagnostics());
  Text out;
  while (out.draws < kDraws && engine->statistics().simulations < 5000 && engine->step(out)) {
  }
  if (engine->failure()) out.text += engine->failure()->message;
  if (out.draws < kDraws) return out.text + "\nfewer draws";  // evidence is of whole batches
  out.text +=
      fmt::format("{:016x}", std::bit_cast<std::uint64_t>(engine->statistics().log_evidence));
  return out.text;
}

struct Case {
  const char* file;
  bool native = true;   // some of it is run natively
  bool futures = true;  // and of its futures
  bool large = false;   // it takes large_rows()
};
// Distributions that are estimated, methods of the program and draws without a prior are the
// interpreter's.
const Case kCases[] = {
    {"hmm/hmm.clj"},
    {"hmm/hmm.vnt", false},
    {"dp-mixture/dp-mixture.clj"},
    {"dp-mixture/dp-mixture.vnt", false},
    {"branching/branching.clj"},
    {"branching/branching.vnt"},
    {"marsaglia/marsaglia.clj"},
    {"marsaglia/marsaglia.vnt"},
    {"gaussian-chain/gaussian-chain.clj"},
    {"hmm-parameter/hmm-parameter.clj"},
    {"lgss/lgss.clj"},
    {"mixture/mixture.clj"},
    {"random-length/random-length.clj"},
    {"two-state/two-state.clj"},
    {"unaligned/unaligned.clj"},
    {"urn/urn.clj"},
    {"crp/crp.clj"},
    {"dirac/dirac.clj"},
    {"dying/dying.clj"},
    {"supports/supports.clj"},
    {"kept/atoms.clj"},
    {"kept/clipped.clj"},
    {"kept/lengths.clj", true, false},
    {"kept/points.clj"},
    {"kept/spike.clj", true, false},
    {"../test/native/programs/distributions-in-maps.clj"},
    {"../test/native/programs/by-branch.clj", true, false},
    {"../test/native/programs/lazy-draws.clj"},
    {"../test/native/programs/keyword-maps.clj", true, false},
    {"../test/native/programs/structures.clj"},
    {"../test/native/programs/same-objects.clj", true, false},
    {"../test/native/programs/long-paths.clj", true, true, true},
    {"../test/native/programs/same-objects.clj", true, true, true},
};

}  // namespace

int main(int argc, char** argv) {
  const std::string only = argc > 1 ? argv[1] : "";  // programs with this in their names
  if (native::system_compiler().empty()) {
    fmt::print("there is no C compiler\n");
    return 1;
  }
  int passed = 0, failed = 0;
  int picky_programs = 0;  // that engines which cannot do all have run natively
  for (const Case& program : kCases) {
    if (std::string(program.file).find(only) == std::string::npos) continue;
    const std::string path = std::string(CHANCEL_MODELS) + "/" + program.file;
    std::string why;
    for (const Setting& row : program.large ? large_rows() : rows()) {
      const std::string vm = fingerprint(path, row, NativeUse::Never, 1, 0);
      if (vm.empty()) why += " no draws";
      std::uint64_t turns = 0, futures = 0;
      for (const Way way : row.ways) {
        CountedTier::turns = CountedTier::futures = 0;
        const std::string native =
            fingerprint(path, row, NativeUse::Always, way.threads, way.leaves);
        if (way.leaves == 0) turns += CountedTier::turns, futures += CountedTier::futures;
        if (native != vm)
          why += fmt::format(" {} threads={} leaves={}", row.engine, way.threads, way.leaves);
      }
      if (row.picky && turns > 0) ++picky_programs;
      if ((turns > 0) != program.native && !row.picky)
        why += fmt::format(" {} {} turns", row.engine, turns);
      if ((futures > 0) != (row.futures && program.native && program.futures))
        why += fmt::format(" {} {} turns of futures", row.engine, futures);
    }
    fmt::print("{} {} {}\n", why.empty() ? "ok  " : "FAIL", program.file, why);
    ++(why.empty() ? passed : failed);
  }
  if (only.empty() && picky_programs < 10) {
    fmt::print("FAIL pmmh: native code in {} runs\n", picky_programs);
    ++failed;
  }
  fmt::print("{} passed, {} failed\n", passed, failed);
  return failed ? 1 : 0;
}
