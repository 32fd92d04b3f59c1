// SPDX-License-Identifier: Apache-2.0
// Any bytes as the stored state of a run, with the right seal, version, program and options: the run continues, or
// says why it does not. The first byte chooses one of the runs of stored_run.cpp, the second how the others are used:
// 0, as state.bin of its directory, after the identity of the run; else as the part of it that the engines read.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/bytes.hpp"
#include "report/run_state.hpp"
#include "stored_run.hpp"

using namespace chancel;

namespace {

constexpr int kDrawsAfter = 6;
constexpr std::string_view kKind = "runs";
const std::size_t kHead = seal_head(kKind, 0).size(), kTail = seal_tail(0, 0).size();

// Bytes between seals, and their version.
std::string_view content_of(std::string_view file) {
  return file.substr(kHead, file.size() - kHead - kTail);
}
std::uint32_t version_of(std::string_view file) {
  return static_cast<unsigned char>(file[kHead - 4]);
}
std::string identity_of(const RunDescription& run) {
  ByteWriter to;
  report::RunIdentity(run).save(to);
  return to.take();
}

void take_draws(Inference& inference, RunRecorder* recorder) {
  for (int i = 0; i < kDrawsAfter; ++i) {
    const Draw* const draw = inference.next();
    if (!draw) break;
    if (recorder) recorder->draw(*draw);
  }
}

void resume_directory(const fuzz::StoppedRun& run, std::string_view body) {
  static const fuzz::Folder folder;
  fuzz::Files files = run.files;
  std::string& state = files["state.bin"];
  state = sealed(kKind, version_of(state), identity_of(run.description) + std::string(body));
  folder.hold(files);
  const RunRecord record = read_run(folder.path());
  RunRecorder recorder(folder.path(), record.description, true);
  std::string problem;
  const auto stored = recorder.stored_state(&problem);
  if (!stored) {
    if (problem.empty()) std::abort();
    return;
  }
  Inference inference =
      run.model->infer(record.description.info.query, record.description.infer_options());
  if (!inference.restore(*stored, &problem)) {
    if (problem.empty()) std::abort();
    return;
  }
  if (inference.statistics().draws != recorder.stored_draws()) return;
  recorder.go_on_from_stored_state();
  take_draws(inference, &recorder);
  recorder.finish(inference.statistics(), RunStatus::Interrupted);
}

void resume_engines(const fuzz::StoppedRun& run, std::string_view state) {
  Inference inference =
      run.model->infer(run.description.info.query, run.description.infer_options());
  std::string problem;
  if (inference.restore(state, &problem))
    take_draws(inference, nullptr);
  else if (problem.empty())
    std::abort();
  inference.statistics();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const auto& runs = fuzz::stopped_runs(true);
  const fuzz::StoppedRun& run = runs[data[0] % runs.size()];
  const std::string_view rest(reinterpret_cast<const char*>(data) + 2, size - 2);
  try {
    if (data[1] == 0)
      resume_directory(run, rest);
    else
      resume_engines(run, rest);
  } catch (const Error&) {
  }
  return 0;
}

std::vector<std::string> fresh_seeds() {
  std::vector<std::string> out;
  const auto& runs = fuzz::stopped_runs(true);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string head(1, static_cast<char>(i));
    const std::string_view content = content_of(runs[i].files.at("state.bin"));
    out.push_back(head + '\0' +
                  std::string(content.substr(identity_of(runs[i].description).size())));
    out.push_back(head + '\1' + runs[i].run_state);
  }
  return out;
}
