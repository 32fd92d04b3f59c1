// SPDX-License-Identifier: Apache-2.0
// Runs, their statistics, their draws.
#include "api/c_interface.hpp"

#include <cmath>

using namespace chancel::c;
using chancel::ExitCode;
using chancel::Message;
using chancel::ValueView;

namespace {

// Texts of statistics must stay where they are while the caller looks at them.
const chancel::RunStatistics& statistics_of(chancel_run& run) {
  run.statistics = run.inference.statistics();
  return run.statistics;
}

}  // namespace

extern "C" {

chancel_status chancel_infer(chancel_model* model, const char* query,
                             const chancel_options* options, chancel_run** run,
                             chancel_error** error) {
  return guarded(error, [&] {
    needed(model, "chancel_infer", "model");
    needed(run, "chancel_infer", "run");
    chancel::InferOptions infer = options == nullptr ? chancel::InferOptions{} : options->options;
    const chancel::Interrupt interrupt;
    infer.interrupt = interrupt;
    const std::string name = query == nullptr ? model->model->default_query() : query;
    *run = new chancel_run{model->model, interrupt, model->model->infer(name, std::move(infer)),
                           {},           {},        false};
  });
}
chancel_status chancel_next(chancel_run* run, const chancel_draw** draw, chancel_error** error) {
  return guarded(error, [&] {
    needed(run, "chancel_next", "run");
    needed(draw, "chancel_next", "draw");
    run->draw.draw = nullptr;
    if (!run->ended) {
      run->ended = true;  // unless there is one
      run->draw.draw = run->inference.next();
      run->ended = run->draw.draw == nullptr;
    }
    *draw = run->ended ? nullptr : &run->draw;
  });
}
void chancel_stop(chancel_run* run) {
  if (run != nullptr) run->interrupt.request();
}
void chancel_run_free(chancel_run* run) { delete run; }

uint64_t chancel_run_draws(const chancel_run* run) {
  return run == nullptr ? 0 : run->inference.statistics().draws;
}
int chancel_run_log_evidence(const chancel_run* run, double* value, double* standard_error) {
  if (run == nullptr) return 0;
  const chancel::RunStatistics& s = run->inference.statistics();
  if (!s.log_evidence) return 0;
  if (value != nullptr) *value = *s.log_evidence;
  if (standard_error != nullptr) *standard_error = s.log_evidence_se.value_or(std::nan(""));
  return 1;
}
int chancel_run_interrupted(const chancel_run* run) {
  return run != nullptr && run->inference.statistics().interrupted ? 1 : 0;
}
const char* chancel_run_engine(chancel_run* run) {
  return ask("", [&] { return run == nullptr ? "" : statistics_of(*run).engine.c_str(); });
}
const char* chancel_run_choice(chancel_run* run) {
  return ask("", [&] { return run == nullptr ? "" : statistics_of(*run).choice.c_str(); });
}
const char* chancel_run_stopped(chancel_run* run) {
  return ask("", [&] { return run == nullptr ? "" : statistics_of(*run).stopped.c_str(); });
}
size_t chancel_run_warning_count(chancel_run* run) {
  return ask<size_t>(0, [&] { return run == nullptr ? 0 : statistics_of(*run).warnings.size(); });
}
chancel_message chancel_run_warning(chancel_run* run, size_t index) {
  if (run == nullptr) return message_at(nullptr, 0);
  return ask(message_at(nullptr, 0),
             [&] { return message_at(&statistics_of(*run).warnings, index); });
}

double chancel_draw_log_weight(const chancel_draw* draw) {
  return draw == nullptr ? 0 : draw->draw->log_weight;
}
uint64_t chancel_draw_index(const chancel_draw* draw) {
  return draw == nullptr ? 0 : draw->draw->index;
}
uint64_t chancel_draw_sweep(const chancel_draw* draw) {
  return draw == nullptr ? 0 : draw->draw->sweep;
}
uint32_t chancel_draw_chain(const chancel_draw* draw) {
  return draw == nullptr ? 0 : draw->draw->chain;
}
size_t chancel_draw_count(const chancel_draw* draw) {
  return draw == nullptr ? 0 : draw->draw->predicts.size();
}
const char* chancel_draw_label(const chancel_draw* draw, size_t index) {
  return index < chancel_draw_count(draw) ? draw->draw->predicts[index].label.c_str() : "";
}
chancel_value chancel_draw_value(const chancel_draw* draw, size_t index) {
  return to_c(index < chancel_draw_count(draw) ? draw->draw->predicts[index].value
                                               : chancel::ValueMaker::nil());
}
chancel_value chancel_draw_result(const chancel_draw* draw) {
  return to_c(draw == nullptr ? chancel::ValueMaker::nil() : draw->draw->result);
}
chancel_status chancel_draw_find(const chancel_draw* draw, const char* label, chancel_value* value,
                                 chancel_error** error) {
  return guarded(error, [&] {
    needed(draw, "chancel_draw_find", "draw");
    needed(label, "chancel_draw_find", "label");
    needed(value, "chancel_draw_find", "value") = to_c((*draw->draw)[label]);
  });
}
chancel_status chancel_draw_number(const chancel_draw* draw, const char* label, double* number,
                                   chancel_error** error) {
  return guarded(error, [&] {
    needed(draw, "chancel_draw_number", "draw");
    needed(label, "chancel_draw_number", "label");
    needed(number, "chancel_draw_number", "number") = (*draw->draw)[label].number();
  });
}

}  // extern "C"
