// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

#include <pybind11/stl.h>

#include <chrono>
#include <utility>

#include "chancel/worksheet.hpp"
#include "messages.hpp"

namespace py = pybind11;

namespace chancel::python {

namespace {

// The model's mutex, or nothing when asked to stop first.
std::unique_lock<std::timed_mutex> lock_model(PythonModel& model, const Stop& stop) {
  std::unique_lock lock(model.mutex, std::defer_lock);
  while (!lock.try_lock_for(std::chrono::milliseconds(20)))
    if (stop) break;
  return lock;
}

template <class Number>
py::array adopt(std::vector<Number>& numbers) {
  auto owned = std::make_unique<std::vector<Number>>(std::move(numbers));
  numbers = {};
  const py::capsule keeper(owned.get(),
                           [](void* p) { delete static_cast<std::vector<Number>*>(p); });
  const auto* kept = owned.release();
  return py::array_t<Number>(static_cast<py::ssize_t>(kept->size()), kept->data(), keeper);
}

}  // namespace

Run::Run(std::shared_ptr<PythonModel> model, RunInfo info, InferOptions options, bool keep_summary)
    : model_(std::move(model)), info_(std::move(info)), keep_summary_(keep_summary) {
  options.interrupt = interrupt_;
  if (keep_summary_) {
    options.on_barrier = [this](const Barrier& barrier) { page_.barrier(barrier); };
    options.on_descent = [this](const Descent& descent) { page_.descent(descent); };
  }
  run_interruptibly(interrupt_, [&](const Stop& stop) {
    const auto lock = lock_model(*model_, stop);
    if (lock) inference_.emplace(model_->model.infer(info_.query, std::move(options)));
  });
}

Run::~Run() { finish(); }

bool Run::collect(std::uint64_t limit, double seconds) {
  if (ended_) return true;
  bool stopped = true;
  const auto work = [&](const Stop& stop) {
    const auto lock = lock_model(*model_, stop);
    if (!lock) return;
    const auto begun = std::chrono::steady_clock::now();
    std::uint64_t taken = 0;
    stopped = false;
    while (!ended_ && !stopped) {
      const Draw* draw = nullptr;
      try {
        draw = inference_->next();
      } catch (...) {
        ended_ = true;
        throw;
      }
      if (draw == nullptr) {
        ended_ = true;
        break;
      }
      add(*draw);
      ++taken;
      stopped = stop;
      if (limit != 0 && taken >= limit) break;
      if (seconds > 0 &&
          std::chrono::steady_clock::now() - begun > std::chrono::duration<double>(seconds))
        break;
    }
  };
  try {
    run_interruptibly(interrupt_, work);
  } catch (const py::error_already_set&) {
    if (inference_) statistics_ = inference_->statistics();
    statistics_.interrupted = true;
    ended_ = true;
    throw;
  }
  return ended_;
}

void Run::finish() {
  if (!inference_) return;
  const bool interrupted = statistics_.interrupted;
  statistics_ = inference_->statistics();
  statistics_.interrupted = statistics_.interrupted || interrupted;
  ended_ = true;
  const py::gil_scoped_release release;
  const std::lock_guard lock(model_->mutex);
  inference_.reset();
}

void Run::add(const Draw& draw) {
  if (keep_summary_) builder_.add(draw);
  std::size_t position = 0;
  for (const Predict& predict : draw.predicts) add(position++, predict.label, predict.value);
  // A query that predicts nothing speaks by its value.
  if (draw.predicts.empty() && (labels_.empty() || labels_.front() == ":result"))
    add(0, ":result", draw.result);
  log_weight_.push_back(draw.log_weight);
  log_joint_.push_back(draw.log_joint);
  chain_.push_back(draw.chain);
  sweep_.push_back(static_cast<std::int64_t>(draw.sweep));
  index_.push_back(static_cast<std::int64_t>(draw.index));
}

void Run::add(std::size_t position, const std::string& label, const ValueView& value) {
  // Mostly every draw has the same labels in the same order.
  if (position >= labels_.size() || labels_[position] != label) {
    const auto [found, is_new] = positions_.try_emplace(label, labels_.size());
    position = found->second;
    if (is_new) {
      labels_.push_back(label);
      columns_.emplace_back();
    }
  }
  columns_[position].add(log_weight_.size(), value);
}

py::tuple Run::take() {
  const std::size_t rows = log_weight_.size();
  py::list labels, arrays;
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    labels.append(labels_[i]);
    arrays.append(columns_[i].take(rows));
  }
  return py::make_tuple(labels, arrays, adopt(log_weight_), adopt(chain_), adopt(sweep_),
                        adopt(index_), adopt(log_joint_));
}

py::dict Run::statistics() {
  if (inference_ && !statistics_.interrupted) statistics_ = inference_->statistics();
  const RunStatistics& f = statistics_;
  py::dict out;
  out["engine"] = f.engine;
  out["choice"] = f.choice;
  out["stopped"] = f.stopped;
  out["rounds"] = f.rounds;
  out["log_evidence"] = f.log_evidence ? py::object(py::float_(*f.log_evidence)) : py::none();
  out["left_out"] = f.left_out ? py::object(py::float_(*f.left_out)) : py::none();
  out["log_evidence_se"] =
      f.log_evidence_se ? py::object(py::float_(*f.log_evidence_se)) : py::none();
  out["draws"] = f.draws;
  out["simulations"] = f.simulations;
  out["particle_steps"] = f.particle_steps;
  out["applications"] = f.applications;
  out["warmup"] = f.warmup;
  out["divergences"] = f.divergences;
  py::list places;
  for (const DivergencePlace& place : f.divergence_places) {
    py::dict at;
    at["line"] = place.line;
    at["name"] = place.name;
    at["shift"] = place.shift;
    at["gathers"] = place.gathers;
    places.append(at);
  }
  out["divergence_places"] = places;
  out["proposals"] = f.proposals;
  out["accepted"] = f.accepted;
  out["saturated"] = f.saturated;
  out["likelihood_variance"] = f.likelihood_variance;
  out["suggested_particles"] = f.suggested_particles;
  out["temperatures"] = f.temperatures;
  out["lowest_acceptance"] = f.lowest_acceptance;
  out["lowest_acceptance_at"] = f.lowest_acceptance_at;
  out["longest_stay"] = f.longest_stay;
  out["stay_visits"] = f.stay_visits;
  out["stay_steps"] = f.stay_steps;
  out["resamplings"] = f.resamplings;
  out["mean_ess"] = f.mean_ess;
  out["min_ess"] = f.min_ess;
  out["min_ess_line"] = f.min_ess_line;
  out["mean_distinct_ancestors"] = f.mean_distinct_ancestors;
  out["zero_weight"] = f.zero_weight;
  out["peak_memory"] = f.peak_memory;
  out["seconds"] = f.seconds;
  out["interrupted"] = f.interrupted;
  out["predictive_labels"] = f.predictive_labels;
  out["warnings"] = to_list(f.warnings);
  return out;
}

const Summary& Run::summary() {
  if (!summary_) {
    Summary made;
    run_interruptibly(interrupt_, [&](const Stop&) { made = builder_.summary(statistics_); });
    summary_ = std::move(made);
  }
  return *summary_;
}

std::string Run::table() {
  TableOptions options;
  options.unfolding = "summary[\"label[0]\"] is one of the elements, summary.to_dict() has all";
  return chancel::table(summary(), statistics_, info_, options);
}
std::string Run::html() { return show_html(summary(), statistics_, info_); }
std::string Run::page() {
  RunRecord run;
  run.description.info = info_;
  run.description.source = model_->model.source();
  run.description.value = info_.value;
  run.status = statistics_.interrupted ? RunStatus::Interrupted : RunStatus::Finished;
  run.version = version();
  run.statistics = statistics_;
  const Summary& made = summary();
  std::string text;
  run_interruptibly(interrupt_, [&](const Stop&) { text = page_.make(run, builder_, made); });
  return text;
}
std::string Run::json() { return chancel::json(summary(), statistics_, info_); }

}  // namespace chancel::python
