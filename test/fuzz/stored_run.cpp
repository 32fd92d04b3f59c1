// SPDX-License-Identifier: Apache-2.0
#include "stored_run.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace chancel::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSeed = 7;
// Draws before the stop. Chains make about as many ahead of time, and a CSV file has no state before its columns are
// fixed.
constexpr std::uint64_t kDraws = 1000;

constexpr const char* kChain = R"((defquery chain
  (loop [i 0 x (sample (normal 0 1))]
    (if (< i 4)
      (do (observe (normal x 1) (* 0.5 i))
          (recur (inc i) (sample (normal x 0.5))))
      (do (predict :x x)
          (predict :up (> x 0)))))))";
// Draws of every kind that values have as bytes.
constexpr const char* kStructures = R"((defrecord point [x y])
(defquery structures
  (let [k (sample (categorical [[[1 2.5 "three"] 1] [{:a #{1 2} :b (list 1 2)} 1] [:key 1] [nil 1] [7N 1] [1/3 1]
                                [(->point 1 (sorted-set 3 1 2)) 1] [(sorted-map-by > 1 2 3 4) 1] [(range 3) 1]]))
        dist (sample (categorical [[(normal 0 1) 1] [(gamma 2 2) 1]]))
        f (sample (categorical [[inc 1] [dec 1]]))
        n (sample (poisson 3))
        xs (mapv (fn [i] (sample (normal 0 1))) (range (min n 5)))
        p (sample (dirichlet [1 1 1]))]
    (observe (normal (reduce + 0 xs) 1) 1.0)
    (observe (discrete p) 2)
    (observe dist 0.7)
    (predict :k (vector? k))
    (predict :n [n (f n)]))))";

struct Row {
  const char* engine;
  const char* options;
  const char* program;
  const char* format = "ndjson";
  bool pointwise = false;
  unsigned chains = 1;
  bool has_state = true;
};
constexpr Row kRows[] = {
    {"smc", ":number-of-particles 4", kChain, "csv"},
    {"smc", ":number-of-particles 3", kStructures, "ndjson", false, 2},
    {"pimh", ":number-of-particles 4", kChain},
    {"pgibbs", ":number-of-particles 3", kChain},
    {"pgibbs", ":number-of-particles 4", kStructures},
    {"pgas", ":number-of-particles 3", kChain},
    {"pgas", ":number-of-particles 3", kStructures},
    {"ipmcmc", ":number-of-nodes 3 :number-of-particles 3", kChain},
    {"importance", "", kStructures, "ndjson", true},
    {"lmh", "", kChain},
    {"lmh", "", kStructures, "ndjson", true, 2},
    {"lmh", "", kChain, "csv"},
    {"rmh", "", kChain},
    {"almh", "", kStructures},
    {"plmh", ":number-of-threads 2", kChain},
    {"nuts", "",
     "(defquery q (let [x (sample (normal 0 1))] (observe (normal x 1) 2.0) (predict :x x)))",
     "ndjson", false, 1, false},
};

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

StoppedRun stop_one(const Row& row, const Folder& folder) {
  StoppedRun out;
  out.engine = row.engine;
  CompileOptions compile;
  compile.tier = Tier::Vm;
  compile.files = false;
  compile.limits.max_memory = std::size_t{256} << 20;
  out.model = std::make_shared<Model>(Model::compile(row.program, compile));
  RunDescription& d = out.description;
  d.info.program = "program.clj";
  d.info.query = out.model->default_query();
  d.info.algorithm = row.engine;
  d.info.engine_options = read_engine_options(row.options);
  d.info.samples = 4 * kDraws;
  d.info.chains = row.chains;
  d.info.pointwise = row.pointwise;
  d.info.seed = kSeed;
  d.info.burn = 4;
  d.source = row.program;
  d.threads = 1;
  d.limits.max_memory = compile.limits.max_memory;
  d.limits.timeout = 5;
  d.files = false;
  d.tier = "vm";
  d.draws_format = row.format;
  folder.hold({});
  {
    RunRecorder recorder(folder.path(), d);
    InferOptions options = d.infer_options();
    options.on_barrier = [&](const Barrier& b) { recorder.barrier(b); };
    Inference run = out.model->infer(d.info.query, options);
    for (std::uint64_t draws = 0; const Draw* draw = run.next();) {
      recorder.draw(*draw);
      if (++draws < kDraws) continue;
      if (!row.has_state) break;
      run.come_to_rest();
      if (!run.at_rest()) continue;
      const auto state = run.state();
      if (!state) continue;
      out.run_state = *state;
      recorder.keep_state(state);
      break;
    }
    if (!row.has_state) recorder.finish(run.statistics(), RunStatus::Interrupted);
  }
  if (row.has_state && out.run_state.empty()) {
    std::fprintf(stderr, "%s came to no state\n", row.engine);
    std::abort();
  }
  out.files = folder.contents();
  return out;
}

}  // namespace

Folder::Folder() {
  std::string name = (fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path()) /
                     "chancel-fuzz-XXXXXX";
  if (!::mkdtemp(name.data())) std::abort();
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

Files Folder::contents() const {
  Files out;
  for (const auto& entry : fs::directory_iterator(path_))
    out[entry.path().filename()] = read_file(entry.path());
  return out;
}

void Folder::hold(const Files& files) const {
  std::vector<fs::path> there;
  for (const auto& entry : fs::directory_iterator(path_)) there.push_back(entry.path());
  for (const fs::path& path : there)
    if (!files.contains(path.filename())) fs::remove_all(path);
  for (const auto& [name, text] : files) {
    const fs::path path = fs::path(path_) / name;
    if (fs::exists(path) && fs::file_size(path) == text.size() && read_file(path) == text) continue;
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  }
}

const std::vector<StoppedRun>& stopped_runs(bool states) {
  static std::vector<StoppedRun> all, with_state;
  if (all.empty()) {
    const Folder folder;
    for (const Row& row : kRows) {
      all.push_back(stop_one(row, folder));
      if (row.has_state) with_state.push_back(all.back());
    }
  }
  return states ? with_state : all;
}

}  // namespace chancel::fuzz
