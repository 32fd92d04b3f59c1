// SPDX-License-Identifier: Apache-2.0
// An engine on a program of models/, run in turns that are timed. Draws go to a sink that looks at
// their predicts and drops them. A program that does not load ends the benchmark with its
// diagnostics.
#pragma once
#include <fmt/format.h>
#include <time.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "engines/registry.hpp"
#include "runs/doqueries.hpp"
#include "runs/query_stream.hpp"
#include "runs/run_setup.hpp"
#include "session/session.hpp"

namespace chancel::bench {

inline double clock_ns(clockid_t id) {
  timespec t;
  clock_gettime(id, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

struct CountingSink final : Sink {
  void draw(const EngineDraw& d) override {
    ++draws;
    if (d.predicts && !d.predicts->value.is_nil()) ++seen;
  }
  std::uint64_t draws = 0, seen = 0;
};

using Options = std::vector<std::pair<const char*, Value>>;

// What a turn took for each draw, in nanoseconds.
struct Turn {
  double cpu;   // of all threads
  double wall;  // by the clock
  double mine;  // CPU of the thread that called
};

class TimedEngine {
 public:
  // models/NAME/NAME.clj with `more` appended to its text; its last query, QUERY, is given the
  // global `value`, or QUERY-value.
  TimedEngine(const std::string& name, const std::string& more, const std::string& value,
              const std::string& engine, const Options& options, unsigned threads = 1,
              NativeUse native = NativeUse::WhereHot)
      : session_(std::size_t{16} << 30, 1, make_doqueries) {
    const std::string path =
        std::string(CHANCEL_SOURCE_DIR) + "/models/" + name + "/" + name + ".clj";
    std::ostringstream text;
    text << std::ifstream(path).rdbuf() << more;
    LoadResult loaded;
    if (!session_.load(text.str(), path, std::nullopt, LoadMode::Definitions, &loaded)) fail();
    const QuerySignature& query = loaded.queries.back();
    const auto global = intern(value.empty() ? query.name->full + "-value" : value);
    RunSetup setup = *setup_run(session_, query, session_.globals().value(global), StreamName{99});
    setup.threads = threads;
    setup.native = native;
    host_ = std::make_unique<RunHost>(session_, setup.image);
    setup.run = host_->run();
    std::vector<OptionValue> values;
    for (const auto& [key, option] : options) values.push_back({key, option});
    engine_ = make_engine(engine, setup, values, session_.diagnostics());
    if (!engine_) fail();
  }
  // Steps until `draws` draws are there.
  Turn turn(std::uint64_t draws) {
    CountingSink sink;
    const double cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    const double wall = clock_ns(CLOCK_MONOTONIC);
    const double mine = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    while (sink.draws < draws)
      if (!engine_->step(sink)) fail();
    const auto n = static_cast<double>(sink.draws);
    return {(clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu) / n, (clock_ns(CLOCK_MONOTONIC) - wall) / n,
            (clock_ns(CLOCK_THREAD_CPUTIME_ID) - mine) / n};
  }
  const EngineStatistics& statistics() const { return engine_->statistics(); }

 private:
  [[noreturn]] void fail() {
    for (const Diagnostic& d : session_.diagnostics().list())
      fmt::print(stderr, "{}\n", render(d, session_.program()->sources));
    if (engine_ && engine_->failure())
      fmt::print(stderr, "{}\n", render(*engine_->failure(), session_.program()->sources));
    std::exit(1);
  }
  Session session_;
  std::unique_ptr<RunHost> host_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace chancel::bench
