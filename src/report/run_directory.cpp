// SPDX-License-Identifier: Apache-2.0
// Recording a run: see chancel/run_directory.hpp. Order of writing at the start: program and data,
// run.json, then the rest, so that a directory with a run.json can always be resumed.
#include "chancel/run_directory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <optional>

#include "chancel/draw_writer.hpp"
#include "report/csv_text.hpp"
#include "report/csv_writer.hpp"
#include "report/draw_columns.hpp"
#include "report/file_error.hpp"
#include "report/run_file.hpp"
#include "report/run_json.hpp"
#include "report/run_state.hpp"

namespace chancel {

using namespace report;
using Clock = std::chrono::steady_clock;

namespace {
constexpr std::uint64_t kLookEvery = 16;  // draws; the clock costs more than one of a fast engine
// The summary so far is written this often, and never takes more than a twentieth of the time.
constexpr std::chrono::seconds kUpdateEvery{10};
constexpr int kUpdateShare = 20;
// So is the state, from which a run that was killed can continue.
constexpr std::chrono::seconds kStateEvery{10}, kFirstState{2};

// The files that grow, as a state knows them.
using Places = std::array<std::optional<RunFile::Place>, 4>;

// What the columns of stored draws may take in memory.
std::size_t room_for_draws(const Limits& limits) {
  if (limits.max_memory > 0) return limits.max_memory;
  const auto pages = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES));
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGE_SIZE)) / 4;
}

// What a state says of the directory.
struct StoredState {
  std::uint64_t draws = 0, observes = 0;
  bool unlike_observes = false;
  Places places;
  std::unique_ptr<CsvWriter> columns;  // of draws.csv
  SummaryBuilder builder;
};
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
  options.rounds = info.rounds;
  options.thin = info.thin;
  options.seed = info.seed;
  options.threads = threads;
  options.chains = info.chains;
  options.value = value;
  options.data = data;
  options.limits = limits;
  return options;
}

RunRecord read_run(const std::string& directory) { return parse_run_json(RunFolder(directory)); }

struct RunRecorder::Impl {
  std::optional<RunFolder> folder;
  RunDescription run;
  bool resume;
  RunTimes times;
  std::optional<RunFile> draws;
  std::optional<RunFile> barriers;  // made with the first
  std::optional<RunFile> descents;  // likewise
  std::optional<RunFile> pointwise;
  std::size_t observes = 0;      // columns of it
  bool unlike_observes = false;  // not all draws have this many
  std::unique_ptr<DrawWriter> writer;
  SummaryBuilder builder;
  Summary summary;
  std::uint64_t draw_count = 0;
  std::string line;
  std::unique_ptr<StateFileReader> stored;  // while it is read
  StoredState found;
  Clock::duration state_every = kStateEvery;
  Clock::time_point next_state = Clock::now() + kFirstState;
  Clock::time_point next_update = Clock::now() + kUpdateEvery;
  std::uint64_t draws_since_look = 0;

  std::string path(const std::string& name) const { return folder->path_of(name); }
  std::array<std::optional<RunFile>*, 4> files() {
    return {&draws, &barriers, &descents, &pointwise};
  }
  std::array<std::string, 4> file_names() const {
    return {draws_file_name(run), "smc.csv", "ancestry.csv", pointwise_file_name(run)};
  }
  std::uint64_t lines_of(const std::string& name) const {
    return folder->has(name) ? folder->contents(name).lines : 0;
  }
  bool compressed(std::size_t file) const { return run.gzip && (file == 0 || file == 3); }
  DrawWriter::Output output() {
    return [this](std::string_view text) { draws->write(text); };
  }
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
      folder->replace("observes.csv", lines);
      pointwise.emplace(*folder, pointwise_file_name(run), resume, run.gzip);
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
    folder->replace("run.json", run_json(run, status, statistics, times, whole));
  }
};

RunRecorder::RunRecorder(const std::string& directory, const RunDescription& description,
                         bool resume)
    : impl_(std::make_unique<Impl>()) {
  Impl& x = *impl_;
  x.folder.emplace(directory, resume ? RunFolder::Use::Existing : RunFolder::Use::Create);
  RunFolder& folder = *x.folder;
  folder.lock();
  x.run = description;
  x.resume = resume;
  RunStatistics statistics;
  if (resume) {
    statistics = parse_run_json(folder, &x.times).statistics;
    ++x.times.resumed;
  } else {
    if (folder.has("run.json"))
      throw_unwritable(
          folder.path(), "it holds a run already",
          fmt::format("chancel infer --resume {} continues it; another run needs another directory",
                      folder.path()));
    x.times.started = utc_now();
    folder.replace(source_file_name(x.run), x.run.source);
    if (x.run.data) folder.replace(data_file_name(x.run), x.run.data->second);
  }
  x.write_run(RunStatus::Running, statistics);
  x.draws.emplace(folder, draws_file_name(x.run), resume, x.run.gzip);
  x.writer = make_draw_writer(x.run.draws_format, x.output());
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
    x.barriers.emplace(*x.folder, "smc.csv", x.resume, false);
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
    x.descents.emplace(*x.folder, "ancestry.csv", x.resume, false);
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
  return ++impl_->draws_since_look % kLookEvery == 0 && Clock::now() >= impl_->next_update;
}

void RunRecorder::update(const RunStatistics& statistics) {
  Impl& x = *impl_;
  const auto begun = Clock::now();
  x.summary = x.builder.summary(statistics, x.run.threads);
  x.folder->replace("summary.csv", summary_csv(x.summary));
  x.write_run(RunStatus::Running, statistics);
  const auto ended = Clock::now();
  x.next_update = ended + std::max<Clock::duration>(kUpdateEvery, kUpdateShare * (ended - begun));
}

void RunRecorder::set_state_interval(double seconds) {
  impl_->state_every =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  impl_->next_state = Clock::now() + std::min<Clock::duration>(impl_->state_every, kFirstState);
}

bool RunRecorder::wants_state() const {
  return impl_->draws_since_look % kLookEvery == 0 && impl_->state_every.count() > 0 &&
         Clock::now() >= impl_->next_state;
}

void RunRecorder::keep_state(const std::optional<std::string>& run_state) {
  Impl& x = *impl_;
  const auto begun = Clock::now();
  const auto* columns = dynamic_cast<const CsvWriter*>(x.writer.get());
  if (run_state && (!columns || columns->columns_fixed())) {
    StateFileWriter file(*x.folder);
    ByteStream& to = file.bytes();
    RunIdentity(x.run).save(to);
    to.number(x.draw_count);
    to.number(x.observes);
    to.byte(x.unlike_observes);
    for (std::optional<RunFile>* f : x.files()) {
      to.byte(f->has_value());
      if (!*f) continue;
      const RunFile::Place place = (*f)->place();
      to.number(place.bytes);
      to.word(place.checksum);
      to.text(place.waiting);
    }
    if (columns) columns->save(to);
    to.text(*run_state);
    x.builder.columns().save(to);
    file.finish();
  }
  const auto ended = Clock::now();
  x.next_state = ended + std::max<Clock::duration>(x.state_every, kUpdateShare * (ended - begun));
}

std::optional<std::string_view> RunRecorder::stored_state(std::string* problem) {
  Impl& x = *impl_;
  problem->clear();
  if (!x.resume || !x.folder->has(kStateFile)) return std::nullopt;
  x.stored = std::make_unique<StateFileReader>(*x.folder);
  *problem = x.stored->problem();
  if (!x.stored->bytes()) return std::nullopt;
  ByteReader from(*x.stored->bytes(), room_for_draws(x.run.limits));
  StoredState& found = x.found;
  std::string_view run_state;
  if (RunIdentity(x.run).check(from)) {
    found.draws = from.number();
    found.observes = from.number();
    found.unlike_observes = from.byte() != 0;
    const std::array<std::string, 4> names = x.file_names();
    for (std::size_t i = 0; i < names.size() && from.ok(); ++i) {
      if (from.byte() == 0) continue;
      RunFile::Place& place = found.places[i].emplace();
      place.bytes = from.number();
      place.checksum = static_cast<std::uint32_t>(from.word());
      const std::string_view waiting = from.text();
      if (waiting.size() >= (x.compressed(i) ? RunFile::kBlock : 1))
        from.fail("more text waits than can");
      if (!from.ok()) break;
      place.waiting = waiting;
      const FileContents now =
          x.folder->has(names[i]) ? x.folder->contents(names[i], place.bytes) : FileContents{};
      if (now.bytes != place.bytes || now.checksum != place.checksum)
        from.fail(fmt::format("{} has changed since", names[i]));
    }
    if (!found.places[0]) from.fail("it has no draws");
    if (found.observes + 1 != (found.places[3] ? x.lines_of("observes.csv") : 1))
      from.fail("observes.csv has changed since");
    if (x.run.draws_format == "csv" && from.ok()) {
      found.columns = std::make_unique<CsvWriter>(x.output());
      found.columns->restore(from);
    }
    run_state = from.text();
    if (from.ok() && found.builder.columns().restore(from)) from.done();
    if (found.builder.columns().frame.log_weights.size() != found.draws)
      from.fail("its draws are miscounted");
  }
  *problem = from.problem();
  if (!from.ok()) return std::nullopt;
  return run_state;
}

std::uint64_t RunRecorder::stored_draws() const { return impl_->found.draws; }

std::uint64_t RunRecorder::go_on_from_stored_state() {
  Impl& x = *impl_;
  x.draw_count = x.found.draws;
  x.observes = x.found.observes;
  x.unlike_observes = x.found.unlike_observes;
  const auto names = x.file_names();
  const auto files = x.files();
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!x.found.places[i]) continue;
    std::optional<RunFile>& file = *files[i];
    if (!file) file.emplace(*x.folder, names[i], true, x.compressed(i));
    file->go_on_from(*x.found.places[i]);
  }
  if (x.found.columns) x.writer = std::move(x.found.columns);
  x.builder = std::move(x.found.builder);
  x.stored.reset();
  x.found = {};
  x.times.resumed_draws = x.draw_count;
  return x.draw_count;
}

void RunRecorder::profile(const std::vector<LineProfile>& profile) {
  impl_->folder->replace("profile.csv", profile_csv(profile));
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
          "{} differed from the output of this run and was rewritten from the first difference on",
          (*file)->path()));
  x.summary = x.builder.summary(statistics, x.run.threads);
  x.folder->replace("summary.csv", summary_csv(x.summary));
  x.write_run(status, statistics);
  if (status == RunStatus::Finished)
    for (const char* ending : {"", ".new"}) x.folder->remove(std::string(kStateFile) + ending);
  return remarks;
}

}  // namespace chancel
