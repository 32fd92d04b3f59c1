// SPDX-License-Identifier: Apache-2.0
// See tempered_bytes.hpp.
#include "tempering/tempered_bytes.hpp"

#include "infer/output_bytes.hpp"

namespace chancel {

namespace {

template <class T>
void write_list(ByteWriter& out, const std::vector<T>& list) {
  out.number(list.size());
  for (const T& one : list) write_plain(out, one);
}
template <class T>
void read_list(ByteReader& in, std::vector<T>* list) {
  list->resize(in.count(sizeof(T)));
  for (T& one : *list) read_plain(in, &one);
}

void write_numbers(ByteWriter& out, const Eigen::VectorXd& v) {
  out.number(static_cast<std::uint64_t>(v.size()));
  for (const double x : v) out.real(x);
}
void read_numbers(ByteReader& in, Eigen::VectorXd* v) {
  v->resize(static_cast<Eigen::Index>(in.count(sizeof(double))));
  for (double& x : *v) x = in.real();
}

void write_acceptances(ByteWriter& out, const AcceptanceRates& figures) {
  out.number(figures.size());
  for (const auto& [signature, acceptance] : figures) {
    out.word(signature);
    write_plain(out, acceptance);
  }
}
void read_acceptances(ByteReader& in, AcceptanceRates* figures) {
  for (std::uint64_t left = in.count(sizeof(MeanAcceptance)); left > 0; --left) {
    const std::uint64_t signature = in.word();
    read_plain(in, &(*figures)[signature]);
  }
}

}  // namespace

void write_weight(ByteWriter& out, const TemperedState& state) {
  out.real(state.log_likelihood);
  out.number(state.draw_count);
}

void read_weight(ByteReader& in, TemperedState* state) {
  state->log_likelihood = in.real();
  state->draw_count = in.number();
}

void write_place(ByteWriter& out, const TemperedState& state) {
  out.byte(state.recorded);
  if (!state.recorded) return;
  write_numbers(out, state.q);
  out.word(state.signature);
  out.number(state.held_draws);
}

void read_place(ByteReader& in, TemperedState* state) {
  state->recorded = in.byte();
  if (!state->recorded) return;
  read_numbers(in, &state->q);
  state->signature = in.word();
  state->held_draws = in.number();
}

void write_known(ByteWriter& out, const TemperedState& state) {
  write_weight(out, state);
  write_place(out, state);
  out.byte(state.noise.known);
  if (!state.noise.known) return;
  write_numbers(out, state.noise.at);
  out.word(state.noise.signature);
}

void read_known(ByteReader& in, TemperedState* state) {
  read_weight(in, state);
  read_place(in, state);
  state->noise.known = in.byte();
  if (!state->noise.known) return;
  read_numbers(in, &state->noise.at);
  state->noise.signature = in.word();
}

void write_figures(ByteWriter& out, const TemperedFigures& figures) {
  out.number(figures.proposals);
  out.number(figures.accepted);
  out.number(figures.applications);
  out.byte(figures.elsewhere);
  write_acceptances(out, figures.recorded);
  write_acceptances(out, figures.noise);
  write_list(out, figures.walks);
}

void read_figures(ByteReader& in, TemperedFigures* figures) {
  figures->proposals = in.number();
  figures->accepted = in.number();
  figures->applications = in.number();
  figures->elsewhere = in.byte();
  read_acceptances(in, &figures->recorded);
  read_acceptances(in, &figures->noise);
  read_list(in, &figures->walks);
}

bool write_draws(ByteWriter& out, ValueWriter& values, const TemperedState& state) {
  out.number(state.draws.size());
  for (const DrawnValue& d : state.draws)
    if (!values.write(d.value)) return false;
  return true;
}

bool read_draws(ByteReader& in, ValueReader& values, TemperedState* state) {
  state->draws.resize(in.count());
  for (DrawnValue& d : state->draws)
    if (!values.read(&d.value)) return false;
  return in.ok();
}

bool write_given(ByteWriter& out, ValueWriter& values, const TemperedState& state,
                 std::string* problem) {
  out.number(state.applications);
  out.real(state.log_joint);
  write_list(out, state.observes);
  return write_output(out, values, state.predicts, state.result, problem);
}

bool read_given(ByteReader& in, ValueReader& values, Arena& arena, TemperedState* state) {
  state->applications = in.number();
  state->log_joint = in.real();
  read_list(in, &state->observes);
  return read_output(in, values, arena, &state->predicts, &state->result);
}

}  // namespace chancel
