// SPDX-License-Identifier: Apache-2.0
// Recording a run: see chancel/run_directory.hpp. Order of writing at the start: program and data,
// run.json, then the rest, so that a directory with a run.json can always be resumed.
#include "chancel/run_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>

#include "chancel/draw_writer.hpp"
#include "report/csv_text.hpp"
#include "report/file_error.hpp"
#include "report/run_file.hpp"
#include "report/run_json.hpp"

namespace chancel {

using namespace report;
using Clock = std::chrono::steady_clock;

namespace {
// The summary so far is written this often, and never takes more than a twentieth of the time.
constexpr std::chrono::seconds kUpdateEvery{10};
constexpr int kUpdateShare = 20;

void make_directory(const std::string& path) {
  for (std::size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
    const std::string part = path.substr(0, at);
    if (::mkdir(part.c_str(), 0777) != 0 && errno != EEXIST) throw_unwritable(part);
    if (at == std::string::npos) break;
  }
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) throw_unwritable(path);
  if (!S_ISDIR(status.st_mode)) throw_unwritable(path, "it is a file", "name a directory");
}
}  // namespace

InferOptions RunDescription::infer_options() const {
  InferOptions options;
  options.algorithm = info.algorithm;
  options.engine_options = info.engine_options;
  options.samples = info.samples;
  options.ess = info.ess;
  options.prior = info.prior;
  options.pointwise = info.pointwise;
  options.log_joint = true;
  options.warmup = info.warmup;
  options.burn = info.burn;
  options.thin = info.thin;
  options.seed = info.seed;
  options.threads = threads;
  options.chains = info.chains;
  options.value = value;
  options.data = data;
  options.limits = limits;
  return options;
}

RunRecord read_run(const std::string& directory) { return parse_run_json(directory); }

namespace {
// Held while a run is recorded; the system lets go of it when the process ends, however it ends.
class DirectoryLock {
 public:
  explicit DirectoryLock(const std::string& directory)
      : file_(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (file_ < 0) throw_unwritable(directory);
    // File systems without locks are used without.
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(file_);
      throw_unwritable(directory, "another process is recording a run there",
                       "name another directory, or wait until that run has ended");
    }
  }
  ~DirectoryLock() { ::close(file_); }
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  int file_;
};
}  // namespace

struct RunRecorder::Impl {
  std::string directory;
  std::optional<DirectoryLock> lock;
  RunDescription run;
  bool resume;
  RunTimes times;
  std::optional<RunFile> draws;
  std::optional<RunFile> barriers;  // made with the first
  std::optional<RunFile> descents;  // likewise
  std::optional<RunFile> pointwise;
  std::size_t observes = 0;      // columns of it
  bool unlike_observes = false;  // not all draws have so many
  std::unique_ptr<DrawWriter> writer;
  SummaryBuilder builder;
  Summary summary;
  std::uint64_t draw_count = 0;
  std::string line;
  Clock::time_point next_update = Clock::now() + kUpdateEvery;
  std::uint64_t draws_since_look = 0;

  std::string path(const std::string& name) const { return directory + "/" + name; }
  void add_cells(std::initializer_list<std::uint64_t> numbers) {
    for (const std::uint64_t n : numbers) {
      append_integer(line, static_cast<std::int64_t>(n));
      line += ',';
    }
  }
  // The columns of draws.csv before the labels, then a log-likelihood for each observe.
  void write_pointwise(const Draw& draw) {
    if (!pointwise) {
      observes = draw.pointwise.size();
      std::string lines = "observe,line\n";
      line = "index,chain,sweep,log_weight";
      for (std::size_t i = 0; i < observes; ++i) {
        line += fmt::format(",log_lik[{}]", i);
        lines += fmt::format("{},{}\n", i, draw.pointwise[i].line);
      }
      replace_file(path("observes.csv"), lines);
      pointwise.emplace(path(pointwise_file_name(run)), resume, run.gzip);
      pointwise->write(line + "\n");
    }
    unlike_observes = unlike_observes || draw.pointwise.size() != observes;
    line.clear();
    add_cells({draw.index, draw.chain, draw.sweep});
    append_number_cell(line, draw.log_weight);
    for (std::size_t i = 0; i < observes; ++i) {
      line += ',';
      if (i < draw.pointwise.size()) append_number_cell(line, draw.pointwise[i].log_likelihood);
    }
    pointwise->write(line + "\n");
    pointwise->flush_if_old();
  }
  void write_run(RunStatus status, const RunStatistics& statistics) {
    times.updated = utc_now();
    std::optional<DrawsFile> whole;
    if (status != RunStatus::Running) whole = {draw_count, draws->bytes(), draws->checksum()};
    replace_file(path("run.json"), run_json(run, status, statistics, times, whole));
  }
};

RunRecorder::RunRecorder(const std::string& directory, const RunDescription& description,
                         bool resume)
    : impl_(std::make_unique<Impl>()) {
  Impl& x = *impl_;
  x.directory = directory;
  while (x.directory.size() > 1 && x.directory.back() == '/') x.directory.pop_back();
  x.run = description;
  x.resume = resume;
  RunStatistics statistics;
  if (!resume) make_directory(x.directory);
  x.lock.emplace(x.directory);
  if (resume) {
    statistics = parse_run_json(x.directory, &x.times).statistics;
    ++x.times.resumed;
  } else {
    if (file_exists(x.path("run.json")))
      throw_unwritable(
          x.directory, "it holds a run already",
          fmt::format(
              "chancel infer --resume {} goes on with it; another run needs another directory",
              x.directory));
    x.times.started = utc_now();
    replace_file(x.path(source_file_name(x.run)), x.run.source);
    if (x.run.data) replace_file(x.path(data_file_name(x.run)), x.run.data->second);
  }
  x.write_run(RunStatus::Running, statistics);
  x.draws.emplace(x.path(draws_file_name(x.run)), resume, x.run.gzip);
  x.writer =
      make_draw_writer(x.run.draws_format, [&x](std::string_view text) { x.draws->write(text); });
  if (!x.writer)
    throw_unwritable(x.path("draws." + x.run.draws_format), "there is no such format",
                     "csv and ndjson are kept");
  x.writer->begin(x.run.info);
}

RunRecorder::~RunRecorder() = default;

const Summary& RunRecorder::summary() const { return impl_->summary; }
const SummaryBuilder& RunRecorder::draws() const { return impl_->builder; }

void RunRecorder::barrier(const Barrier& b) {
  Impl& x = *impl_;
  if (!x.barriers) {
    x.barriers.emplace(x.path("smc.csv"), x.resume, false);
    x.barriers->write(
        "chain,sweep,barrier,line,ess,resampled,distinct_ancestors,log_mean_weight\n");
  }
  x.line.clear();
  x.add_cells({b.chain, b.sweep, b.barrier, b.line});
  append_number_cell(x.line, b.ess);
  x.line += b.resampled ? ",true," : ",false,";
  append_integer(x.line, b.distinct_ancestors);
  x.line += ',';
  append_number_cell(x.line, b.log_mean_weight);
  x.line += '\n';
  x.barriers->write(x.line);
  x.barriers->flush_if_old();
}

void RunRecorder::descent(const Descent& d) {
  Impl& x = *impl_;
  if (!x.descents) {
    x.descents.emplace(x.path("ancestry.csv"), x.resume, false);
    x.descents->write("chain,sweep,barrier,line,particle,ancestor\n");
  }
  x.line.clear();
  x.add_cells({d.chain, d.sweep, d.barrier, d.line, d.particle, d.ancestor});
  x.line.back() = '\n';
  x.descents->write(x.line);
  x.descents->flush_if_old();
}

void RunRecorder::draw(const Draw& draw) {
  impl_->writer->draw(draw);
  impl_->builder.add(draw);
  if (impl_->run.info.pointwise) impl_->write_pointwise(draw);
  ++impl_->draw_count;
  impl_->draws->flush_if_old();
}

bool RunRecorder::wants_update() {
  constexpr std::uint64_t kLookEvery = 16;  // the clock costs more than a draw of a fast engine
  return ++impl_->draws_since_look % kLookEvery == 0 && Clock::now() >= impl_->next_update;
}

void RunRecorder::update(const RunStatistics& statistics) {
  Impl& x = *impl_;
  const auto begun = Clock::now();
  x.summary = x.builder.summary(statistics, x.run.threads);
  replace_file(x.path("summary.csv"), summary_csv(x.summary));
  x.write_run(RunStatus::Running, statistics);
  const auto ended = Clock::now();
  x.next_update = ended + std::max<Clock::duration>(kUpdateEvery, kUpdateShare * (ended - begun));
}

void RunRecorder::profile(const std::vector<LineProfile>& profile) {
  replace_file(impl_->path("profile.csv"), profile_csv(profile));
}

std::vector<std::string> RunRecorder::finish(const RunStatistics& statistics, RunStatus status) {
  Impl& x = *impl_;
  std::vector<std::string> remarks;
  const std::string lost = x.writer->end();
  if (!lost.empty()) remarks.push_back(lost);
  x.draws->close();
  if (x.barriers) x.barriers->close();
  if (x.descents) x.descents->close();
  if (x.pointwise) x.pointwise->close();
  if (x.unlike_observes)
    remarks.push_back(
        fmt::format("executions make different numbers of observes: {} has those of the first",
                    x.path(pointwise_file_name(x.run))));
  for (const auto* file : {&x.draws, &x.barriers, &x.descents, &x.pointwise})
    if (*file && (*file)->differed())
      remarks.push_back(fmt::format(
          "what was in {} is not what this run makes: it was written anew from there on",
          (*file)->path()));
  x.summary = x.builder.summary(statistics, x.run.threads);
  replace_file(x.path("summary.csv"), summary_csv(x.summary));
  x.write_run(status, statistics);
  return remarks;
}

}  // namespace chancel
