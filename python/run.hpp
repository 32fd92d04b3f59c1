// SPDX-License-Identifier: Apache-2.0
// Models and runs as the Python side sees them. A run is taken in parts: collect() makes draws and
// keeps them in columns, take() hands those out as arrays. So infer() is one part and stream()
// many. A model may be used by one thread at a time; its mutex sees to that, and is held only while
// draws are made, so that runs of one model can take turns.
#pragma once
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "chancel/chancel.hpp"
#include "chancel/report_page.hpp"
#include "chancel/summary.hpp"
#include "column.hpp"
#include "interruptible.hpp"

namespace chancel::python {

struct PythonModel {
  Model model;
  std::timed_mutex mutex;
  explicit PythonModel(Model compiled) : model(std::move(compiled)) {}
};

class Run {
 public:
  Run(std::shared_ptr<PythonModel> model, RunInfo info, InferOptions options, bool keep_summary);
  ~Run();

  // Takes up to `limit` draws (0 = all), for about `seconds` (0 = as long as it takes) once there
  // is one. True at the end.
  bool collect(std::uint64_t limit, double seconds);
  std::uint64_t count() const { return log_weight_.size(); }  // of draws since the last take()
  // (labels, arrays, log_weight, chain, sweep, index) of the draws since the last call.
  pybind11::tuple take();
  // Ends the run and gives its memory back; statistics and summary stay.
  void finish();

  pybind11::dict statistics();
  std::string table();
  std::string json();
  std::string html();  // the summary, as a fragment for notebooks
  std::string page();  // the report: one page that needs nothing else

 private:
  void add(const Draw& draw);
  void add(std::size_t position, const std::string& label, const ValueView& value);
  const Summary& summary();

  std::shared_ptr<PythonModel> model_;
  RunInfo info_;
  bool keep_summary_;
  Interrupt interrupt_;
  std::optional<Inference> inference_;
  bool ended_ = false;
  RunStatistics statistics_;
  SummaryBuilder builder_;
  ReportPage page_;  // what happened at the observes
  std::optional<Summary> summary_;

  std::vector<std::string> labels_;
  std::unordered_map<std::string, std::size_t> positions_;
  std::vector<Column> columns_;
  std::vector<double> log_weight_, log_joint_;
  std::vector<std::int64_t> chain_, sweep_, index_;
};

}  // namespace chancel::python
