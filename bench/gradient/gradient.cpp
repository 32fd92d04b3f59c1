// SPDX-License-Identifier: Apache-2.0
// What a gradient costs: every program of models/posteriordb and bench/stan/programs (with data that
// bench/stan/simulate.py has made), recorded at one point; processor time of an evaluation with its derivatives at
// points beside it. Before its time counts, the gradient is compared with central differences. bench/gradient/run shows
// the times beside those of Stan.
// It stresses evaluation, and says how long recording took; it says nothing of trajectories or of warm-up.
#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <map>
#include <set>

#include "recorded_program.hpp"

namespace {

namespace fs = std::filesystem;
using namespace chancel;

double processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Measurement {
  Eigen::Index dimension = 0;
  double nanoseconds = 0, recording = 0;  // of a gradient; seconds of one recording
  std::size_t bytes = 0;
};

Measurement measure(const fs::path& program, const fs::path& data) {
  recorded::Source source(recorded::read_file(program), recorded::read_file(data));
  const auto recorded = recorded::RecordedProgram::of(source, source.queries().back());
  if (!recorded) throw std::runtime_error("the data do not fit the query");
  Measurement found;
  const double before = processor_seconds();
  if (const std::string refused = recorded->begin(1, 0.5); !refused.empty())
    throw std::runtime_error(refused);
  found.recording = processor_seconds() - before;
  if (const std::string wrong = recorded->compare_gradient(1, 1); !wrong.empty())
    throw std::runtime_error(wrong);
  RecordedDensity& density = recorded->density();
  found.dimension = density.dimension();
  Eigen::VectorXd q = density.coordinates(), gradient(q.size());
  double best = INFINITY;
  for (std::size_t count = 1; best == INFINITY || count * best < 0.2; count *= 2) {
    const double start = processor_seconds();
    for (std::size_t i = 0; i < count; ++i) {
      q[0] += i % 2 ? 1e-6 : -1e-6;
      density.at(q, gradient);
    }
    const double each = (processor_seconds() - start) / static_cast<double>(count);
    if (count > 1 || each > 0.1) best = std::min(best, each);
  }
  found.nanoseconds = 1e9 * best;
  found.bytes = recorded->workers().heap().peak();
  return found;
}

}  // namespace

int main(int count, char** arguments) {
  const fs::path root = CHANCEL_SOURCE_DIR;
  std::map<std::string, std::pair<fs::path, fs::path>> programs;
  const auto add = [&](const fs::path& folder, const fs::path& data) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string name = entry.path().stem();
      if (entry.path().extension() == ".clj" && fs::exists(data / (name + ".json")))
        programs[name] = {entry.path(), data / (name + ".json")};
    }
  };
  add(root / "models/posteriordb", root / "models/posteriordb/data");
  add(root / "bench/stan/programs", root / "build/stan/data");
  const std::set<std::string> wanted(arguments + 1, arguments + count);
  int failed = 0;
  fmt::print("{:<42} {:>5} {:>14} {:>12} {:>8}\n", "program", "draws", "ns a gradient",
             "ms to record", "peak MB");
  for (const auto& [name, files] : programs) {
    if (!wanted.empty() && !wanted.contains(name)) continue;
    try {
      const Measurement f = measure(files.first, files.second);
      fmt::print("{:<42} {:>5} {:>14.0f} {:>12.1f} {:>8.1f}\n", name, f.dimension, f.nanoseconds,
                 1e3 * f.recording, static_cast<double>(f.bytes) / (1 << 20));
      std::fflush(stdout);
    } catch (const std::exception& e) {
      fmt::print("{}: {}\n", name, e.what());
      ++failed;
    }
  }
  return failed > 0 ? 1 : 0;
}
