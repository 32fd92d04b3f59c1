// SPDX-License-Identifier: Apache-2.0
// Any bytes as the files of a run directory, through everything that reads one: its description, its draws, their
// summary, cross-validation, page and exports, and whether it can be resumed. A line "=== NAME" begins a file.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "chancel/export.hpp"
#include "chancel/loo.hpp"
#include "chancel/report_page.hpp"
#include "stored_run.hpp"

using namespace chancel;

namespace {

constexpr std::string_view kMark = "=== ";
constexpr const char* kNames[] = {"run.json",     "draws.csv",    "draws.ndjson", "log_lik.csv",
                                  "observes.csv", "smc.csv",      "profile.csv",  "summary.csv",
                                  "ancestry.csv", "draws.csv.gz", "program.clj",  "data.json"};

bool is_known(const std::string& name) {
  for (const char* known : kNames)
    if (name == known) return true;
  return false;
}

fuzz::Files files_of(std::string_view text) {
  fuzz::Files out;
  std::string* file = nullptr;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    const std::string_view line = text.substr(0, end + 1);
    text.remove_prefix(line.size());
    if (line.starts_with(kMark)) {
      std::string name(line.substr(kMark.size()));
      if (name.ends_with('\n')) name.pop_back();
      file = is_known(name) ? &out[name] : nullptr;
    } else if (file) {
      *file += line;
    }
  }
  return out;
}

// A file that grows may end after any line.
std::string first_lines(const std::string& text) {
  constexpr int kLines = 120;
  std::size_t at = 0;
  for (int line = 0; line < kLines && at < text.size(); ++line)
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  return text.substr(0, at) + (at > 0 && text[at - 1] == '\n' ? "" : "\n");
}

template <class Read>
void attempt(Read&& read) {
  try {
    read();
  } catch (const Error& error) {
    if (error.messages().empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder, outside;
  folder.hold(files_of({reinterpret_cast<const char*>(data), size}));
  const std::string& path = folder.path();
  attempt([&] { read_run(path); });
  attempt([&] {
    DrawReader draws(path);
    while (const Draw* draw = draws.next())
      for (const Predict& p : draw->predicts) p.value.print();
  });
  attempt([&] { summary_csv(summarize_draws({path})); });
  attempt([&] { loo_table(leave_one_out(path)); });
  attempt([&] { report_page(path); });
  for (const std::string& format : export_formats())
    attempt([&] { export_run(path, format, outside.path() + "/exported"); });
  attempt([&] {
    const RunRecord run = read_run(path);
    RunRecorder recorder(path, run.description, true);
    std::string problem;
    recorder.stored_state(&problem);
  });
  outside.hold({});
  return 0;
}

std::vector<std::string> fresh_seeds() {
  std::vector<std::string> out;
  for (const fuzz::StoppedRun& run : fuzz::stopped_runs(false)) {
    std::string text;
    for (const auto& [name, content] : run.files)
      if (is_known(name)) text += std::string(kMark) + name + "\n" + first_lines(content);
    out.push_back(text);
  }
  return out;
}
