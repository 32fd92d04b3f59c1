// SPDX-License-Identifier: Apache-2.0
// A run on disk: what was run, its draws, what happened at each observe, what the draws say.
// docs/file-formats.md has every file and field. Files grow as the run goes, so that a run that
// dies at any moment leaves a directory that can be read, and can be resumed: a run that is
// recorded again into its directory makes the same bytes, of which those that are there already are
// compared and only the rest is written.
//
//   chancel::RunRecorder recorder("out", description);
//   options.on_barrier = [&](const chancel::Barrier& b) { recorder.barrier(b); };
//   options.on_descent = [&](const chancel::Descent& d) { recorder.descent(d); };
//   for (const chancel::Draw& draw : run) recorder.draw(draw);
//   recorder.finish(run.statistics());
//
//   chancel::DrawReader draws("out");
//   while (const chancel::Draw* draw = draws.next()) ...
//
// Everything throws chancel::Error: U002 (cannot read), U004 (cannot write).
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "chancel/chancel.hpp"
#include "chancel/summary.hpp"

namespace chancel {

// All that is needed to make the draws again.
struct RunDescription {
  RunInfo info;
  std::string source;                // the program's text
  std::string dialect;               // as asked for; empty = detected from the text
  std::optional<std::string> value;  // EDN
  std::optional<std::pair<std::string, std::string>> data;  // name and text of the data file
  unsigned threads = 0;
  Limits limits;
  bool files = true;                 // whether the program may read files
  std::string tier = "auto";         // or "vm", "native", "segment"
  std::string draws_format = "csv";  // or "ndjson"
  bool gzip = false;

  InferOptions infer_options() const;
};

enum class RunStatus { Running, Finished, Interrupted, Failed };

struct DrawsFile {  // what the file of draws held when the run ended
  std::uint64_t count = 0, bytes = 0;
  std::uint32_t checksum = 0;  // CRC-32 of the bytes
};

struct RunRecord {  // run.json
  RunDescription description;
  RunStatus status = RunStatus::Running;
  std::string version;
  RunStatistics statistics;        // as of the last writing
  std::string draws_file;          // path
  std::optional<DrawsFile> draws;  // of a run that has ended
};
RunRecord read_run(const std::string& directory);

class RunRecorder {
 public:
  // Makes the directory. One that holds a run is taken only with `resume`.
  RunRecorder(const std::string& directory, const RunDescription& description, bool resume = false);
  ~RunRecorder();
  RunRecorder(const RunRecorder&) = delete;
  RunRecorder& operator=(const RunRecorder&) = delete;

  void barrier(const Barrier& barrier);
  void descent(const Descent& descent);
  void draw(const Draw& draw);
  // The statistics and summary so far, now and then: cheap to ask after every draw.
  bool wants_update();
  void update(const RunStatistics& statistics);
  // The state of the run, now and then (every ten seconds, if nothing else is set; 0: never), so that it
  // continues from there when it is resumed: ask after every draw, let the run come to rest, and
  // give its state when it has. Nothing: it has none.
  void set_state_interval(double seconds);
  bool wants_state() const;
  void keep_state(const std::optional<std::string>& run_state);
  // Of a directory that is resumed: the state to give to Inference::restore(). Nothing without a
  // problem: there is none; with one: it cannot be used, and the run has to be made again from its seed.
  std::optional<std::string_view> stored_state(std::string* problem);
  // The draws that are in the files then: as many as the run has that takes the state.
  std::uint64_t stored_draws() const;
  // The run has taken it: files and summary continue from there, too. Returns the number of their
  // draws.
  std::uint64_t go_on_from_stored_state();
  void profile(const std::vector<LineProfile>& profile);  // profile.csv
  // Final report. Returns sentences about what could not be kept.
  std::vector<std::string> finish(const RunStatistics& statistics,
                                  RunStatus status = RunStatus::Finished);
  const Summary& summary() const;  // as of the last update() or finish()
  const SummaryBuilder& draws() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The draws of a run directory, or of a file draws.csv or draws.ndjson (also .gz), in order. Every
// column of a CSV file is a predict of its own, labelled as in the header (":states[3]"). An
// incomplete last line is passed over; but the file of a run that has ended must be as it was then
// (U003).
class DrawReader {
 public:
  explicit DrawReader(const std::string& path);
  ~DrawReader();
  DrawReader(DrawReader&&) noexcept;
  DrawReader& operator=(DrawReader&&) noexcept;
  const Draw* next();  // good until the next call; null at the end

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The summary of the draws in one or more directories or files, whose chains are put side by side.
Summary summarize_draws(const std::vector<std::string>& paths,
                        const RunStatistics& statistics = {});
// summary.csv and profile.csv
std::string summary_csv(const Summary& summary);
std::string profile_csv(const std::vector<LineProfile>& profile);

}  // namespace chancel
