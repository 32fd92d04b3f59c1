// SPDX-License-Identifier: Apache-2.0
// A run that is kept in a directory, as `chancel infer --out` keeps it, and read back.
#include <chancel/chancel.hpp>
#include <chancel/run_directory.hpp>
#include <filesystem>
#include <iostream>

int main() {
  const std::string directory =
      (std::filesystem::temp_directory_path() / "chancel-kept-run").string();
  std::filesystem::remove_all(directory);

  chancel::RunDescription description;
  description.source =
      "(defquery q (let [x (sample (normal 0 1))] (observe (normal x 1) 2) (predict :x x)))";
  description.info.program = "q.clj";
  description.info.query = "q";
  description.info.algorithm = "pgibbs";
  description.info.samples = 2000;
  description.info.seed = 7;

  auto model = chancel::Model::compile(description.source);
  chancel::RunRecorder recorder(directory, description);
  chancel::InferOptions options = description.infer_options();
  options.on_barrier = [&](const chancel::Barrier& barrier) { recorder.barrier(barrier); };
  chancel::Inference run = model.infer("q", options);
  for (const chancel::Draw& draw : run) recorder.draw(draw);
  recorder.finish(run.statistics());

  std::size_t count = 0;
  chancel::DrawReader reader(directory);
  while (reader.next() != nullptr) ++count;
  const chancel::Summary summary = chancel::summarize_draws({directory});
  std::cout << chancel::draws_table(summary);
  std::filesystem::remove_all(directory);
  return count == 2000 && summary.estimates.size() == 1 ? 0 : 1;
}
