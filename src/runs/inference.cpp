// SPDX-License-Identifier: Apache-2.0
// Inference of the public interface: hands out the draws of its chains one by one, and reports
// barriers, descents and warnings with them.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "engines/enumeration_trial.hpp"
#include "engines/profile.hpp"
#include "native/describe.hpp"
#include "runs/cluster_access.hpp"
#include "runs/inference_impl.hpp"
#include "runs/program.hpp"
#include "runs/run_totals.hpp"
#include "session/value_view.hpp"
#include "value/collections.hpp"
#include "value/print.hpp"

namespace chancel {

namespace {
constexpr std::uint64_t kFewestDraws = 20;  // of each chain, whatever work they take

// What an engine has done, in nanoseconds of one core of 2024, within a factor of four: counts that are the
// same on every machine, weighted by what they cost where it runs as engines of its family mostly do
// (measured on models/ and examples/): particles in native code, single sites in the interpreter or
// along the flow of values, gradients on recordings.
double work_of(const EngineStatistics& s, EngineFamily family) {
  const auto applications = static_cast<double>(s.applications);
  const auto simulations = static_cast<double>(s.simulations);
  switch (family) {
    case EngineFamily::Gradient:
    case EngineFamily::Walk:
      return applications + 500 * simulations;
    case EngineFamily::SingleSite:
    case EngineFamily::Partition:
      return 50 * applications + 1000 * static_cast<double>(s.proposals);
    default:
      return 15 * applications + 120 * static_cast<double>(s.particle_steps) + 100 * simulations;
  }
}

void save_message(ByteWriter& to, const Message& m) {
  to.byte(m.error);
  for (const std::string* text : {&m.code, &m.file, &m.message, &m.hint, &m.text}) to.text(*text);
  for (const std::size_t n : {m.line, m.column, m.end_line, m.end_column}) to.number(n);
}

Message restore_message(ByteReader& from) {
  Message m;
  m.error = from.byte() != 0;
  for (std::string* text : {&m.code, &m.file, &m.message, &m.hint, &m.text}) *text = from.text();
  for (std::size_t* n : {&m.line, &m.column, &m.end_line, &m.end_column}) *n = from.number();
  return m;
}
}  // namespace

void Inference::Impl::warning(const Diagnostic& d) {
  Message m = to_message(d, session->program()->sources, colour);
  for (const Message& said : statistics.warnings)
    if (said.text == m.text) return;  // by another chain
  if (options.on_warning) options.on_warning(m);
  statistics.warnings.push_back(std::move(m));
}

void Inference::Impl::tell(Chain& chain, std::uint64_t sweep) {
  const std::uint32_t number = chain.number();
  for (auto& all = chain.barriers; !all.empty() && all.front().sweep <= sweep; all.pop_front())
    if (const BarrierStatistics& b = all.front(); options.on_barrier)
      options.on_barrier({number, b.sweep, b.barrier, line_of(b.site), b.ess, b.resampled,
                          b.distinct_ancestors, b.log_mean_weight});
  for (auto& all = chain.descents; !all.empty() && all.front().sweep <= sweep; all.pop_front())
    if (const EngineDescent& d = all.front(); options.on_descent)
      options.on_descent({number, d.sweep, d.barrier, line_of(d.site), d.particle, d.ancestor});
  // By rounds: of the steps up to this draw, not of the next ones, which may have been made or not.
  const std::uint64_t up_to =
      chain.taken() - (rules.rounds && sweep != ~std::uint64_t{0} && chain.taken() > 0);
  for (auto& all = chain.warnings; !all.empty() && all.front().first <= up_to; all.pop_front())
    warning(all.front().second);
}

const std::string& Inference::Impl::label_text(const Value& label) {
  for (std::size_t i = 0; i < label_values.size(); ++i)
    if (label_values[i].tag == label.tag && label_values[i].bits == label.bits)
      return label_texts[i];
  std::string text = show(label, true, 2000);
  // An object that goes with its batch must not be remembered by its address.
  if (label.is_object() && block_of(label.o)->heap != &session->program()->constants().heap()) {
    object_label_text = std::move(text);
    return object_label_text;
  }
  label_values.push_back(label);
  label_texts.push_back(std::move(text));
  return label_texts.back();
}

// By rounds: what a chain has done for the rounds that were handed out.
const EngineStatistics& Inference::Impl::statistics_of(const Chain& chain) const {
  const bool all = !rules.rounds || given == 0 || (chain.ended() && !chain.has_withheld());
  return all ? chain.statistics() : chain.statistics_after(scheduler->rounds());
}

void Inference::Impl::update_statistics() {
  RunTotals all;
  for (const auto& chain : scheduler->chains()) all.add(statistics_of(*chain));
  all.fill(statistics);
  statistics.sites = sites_of(all.moves());
  statistics.divergence_places = divergence_places(all.places());
  statistics.fixed_labels = fixed_labels;
  if (densities) densities->fill(scheduler->chains(), statistics.chain_densities);
  if (!rules.sweeps) statistics.evidence_spread = 0;  // of single executions it says nothing
  statistics.min_ess_line = all.has_ess() ? line_of(all.min_ess_site()) : 0;
  statistics.draws = given;
  statistics.rounds = rules.rounds ? scheduler->rounds() : 0;
  if (stopping) statistics.stopped = stopping->text();
  if (!stopped.empty()) statistics.stopped = stopped;
  if (lists && ended && !statistics.interrupted && statistics.left_out &&
      *statistics.left_out < kNegligible)
    statistics.stopped = statistics.left_out == 0.0
                             ? "every execution has been run: the answer is exact"
                             : "the executions left out have a negligible probability";
  statistics.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - rules.started).count();
}

bool Inference::Impl::round_over(std::uint64_t round) {
  if (options.rounds) {
    if (round < *options.rounds) return false;
    stopped = fmt::format("{} round{}, as asked for (--rounds)", round, round == 1 ? "" : "s");
    return true;
  }
  if (!stopping || !work_limited) return false;
  double work = 0;
  for (const auto& chain : scheduler->chains()) work += work_of(statistics_of(*chain), family);
  const std::uint64_t fewest = kFewestDraws * rules.chains;
  if (work < most_work || given < fewest) return false;
  update_statistics();
  stopping->work_over(statistics, options.threads);
  return true;
}

bool Inference::Impl::go_on() {
  const auto& chains = scheduler->chains();
  if (!stopping || rules.pause_at == 0 ||
      std::none_of(chains.begin(), chains.end(), [](const auto& c) { return c->paused(); }))
    return false;
  update_statistics();
  if (stopping->look(statistics, options.threads)) return false;
  rules.pause_at = stopping->round();
  if (world) order_pause(*world, rules.pause_at);
  return true;
}

void Inference::Impl::lift_rest() {
  if (rules.rest_at == 0 || !scheduler->turn_is_empty()) return;
  if (rules.rounds && !scheduler->have_made(rules.rest_at)) return;
  const std::uint64_t most = turns_to_rest_at();
  rules.rest_at = most > rules.rest_at && rest_tries-- > 0 ? most : 0;
}

std::uint64_t Inference::Impl::turns_to_rest_at() const {
  const std::uint64_t most = scheduler->most_turns();
  return rules.rounds ? round_end(most, rules.sweeps) : most;
}

void Inference::Impl::finish() {
  ended = true;
  if (world) world->end_run();
  for (const auto& chain : scheduler->chains())
    if ((chain->ended() || (chain->paused() && !rules.rounds)) && !chain->has_withheld() &&
        !chain->failure())
      tell(*chain, ~std::uint64_t{0});
    else if (!rules.rounds || given == 0)
      for (const auto& [made, diagnostic] : chain->warnings) warning(diagnostic);
  double bias = host->nested_bias();
  for (const auto& chain : scheduler->chains())
    if (chain->elsewhere())
      bias = std::max(bias, static_cast<const RankChain&>(*chain).nested_bias);
  if (bias > 0) warning(nested_bias_warning(bias));
  if (world) tell_idle_ranks();
  for (const Diagnostic& note : session->services().take_notes()) warning(note);
}

namespace {
std::string rough_time(double seconds) {
  return seconds < 120    ? fmt::format("{:.0f} s", std::ceil(seconds))
         : seconds < 7200 ? fmt::format("{:.0f} minutes", std::ceil(seconds / 60))
                          : fmt::format("{:.0f} hours", std::ceil(seconds / 3600));
}
}  // namespace

// How far the warm-up of all chains is, and how long all of it would take; empty: not known.
std::string Inference::Impl::warmup_progress() const {
  const std::uint64_t of_a_chain = setup.warmup > 0 ? setup.warmup : rules.burn;
  const std::uint64_t all = of_a_chain * rules.chains;
  std::uint64_t done = 0;
  for (const auto& chain : scheduler->chains())
    done += std::min(of_a_chain, setup.warmup > 0 ? chain->statistics().warmup : chain->seen());
  if (done == 0 || done >= all) return "";
  const double share = static_cast<double>(done) / static_cast<double>(all);
  return fmt::format(": {} of {} steps of {} were made, and all of them would take about {}", done,
                     all, statistics.engine, rough_time(statistics.seconds / share));
}

void Inference::Impl::time_over_in_warmup() {
  statistics.interrupted = true;
  stopped = fmt::format("the time limit of {:g} s, in the warm-up", options.limits.timeout);
  const auto& chains = scheduler->chains();
  const auto waiting = static_cast<std::size_t>(std::count_if(
      chains.begin(), chains.end(), [](const auto& c) { return !c->has_withheld(); }));
  const std::string which = waiting == chains.size() ? "the warm-up"
                                                     : fmt::format("the warm-up of {} of {} chains",
                                                                   waiting, chains.size());
  warning({Code::L002,
           Severity::Warning,
           {},
           fmt::format("{} did not end within {:g} s, so there are no draws{}", which,
                       options.limits.timeout, warmup_progress()),
           "raise --timeout, shorten --warmup, or try another engine (-a)",
           {}});
}

// Draws that can say nothing: the same outcome as none, with what has been done.
void Inference::Impl::time_over_too_soon(Span place) {
  const double limit = options.limits.timeout;
  const std::uint64_t each = given / std::max(1u, rules.chains);
  const std::string done = fmt::format("{} executions, {} calls of functions",
                                       statistics.simulations, statistics.applications);
  const double needed = each == 0 ? 0
                                  : statistics.seconds * static_cast<double>(kFewestDraws) /
                                        static_cast<double>(each);
  warning(
      {Code::L002,
       Severity::Warning,
       place,
       each == 0 ? fmt::format("{} gave no draw of some chain within {:g} s ({})",
                               statistics.engine, limit, done)
                 : fmt::format(
                       "{} gave {} draws of each chain within {:g} s ({}): {} would take about {}",
                       statistics.engine, each, limit, done, kFewestDraws, rough_time(needed)),
       each == 0
           ? fmt::format("raise --timeout to {:g} or more, or try another engine (-a)", 4 * limit)
           : "raise --timeout, or try another engine (-a)",
       {}});
}

void Inference::Impl::fail(const Diagnostic& d) {
  finish();
  update_statistics();
  const bool by_time = d.code == Code::L002, by_user = d.code == Code::L005;
  statistics.cut = rules.rounds && given > 0 && (by_time || by_user);
  if (by_time && statistics.cut) {
    if (stopping) stopping->time_over(statistics, options.threads, options.limits.timeout);
    stopped = stopping ? stopping->text()
                       : fmt::format("the time limit of {:g} s", options.limits.timeout);
    stopped += fmt::format("; --rounds {} repeats it", statistics.rounds);
    if (stopping && given < kFewestDraws * rules.chains) time_over_too_soon({});
    if (stopping) return;
  }
  const bool warms_up = given == 0 && (setup.warmup > 0 || rules.burn > 0);
  if (d.code == Code::L002 && warms_up && statistics.simulations > 0) return time_over_in_warmup();
  if (by_time && stopping && given == 0) {
    statistics.interrupted = true;
    stopped =
        fmt::format("the time limit of {:g} s, before the first draws", options.limits.timeout);
    return time_over_too_soon(d.span);
  }
  if (d.code == Code::L005 || d.code == Code::L002) {
    statistics.interrupted = true;
    warning(d);
    return;
  }
  throw Error({to_message(d, session->program()->sources, colour)}, exit_code_of(d.code));
}

const Draw* Inference::Impl::next() {
  lift_rest();
  Chain* chain = scheduler->next();
  while (!chain && go_on()) chain = scheduler->next();
  if (!chain) {
    finish();
    return nullptr;
  }
  if (!chain->has_draw()) {
    fail(*chain->failure());
    return nullptr;
  }
  const KeptDraw kept = chain->take();
  scheduler->took(*chain, kept.raw.sweep);
  tell(*chain, kept.raw.sweep);
  hand_out(kept);
  if (stopping) stopping->add(current);
  return &current;
}

void Inference::Impl::hand_out(const KeptDraw& kept) {
  Draw& d = current;
  if (densities) densities->add(kept.raw);
  d.log_weight = kept.raw.log_weight;
  d.log_joint = options.log_joint ? kept.raw.log_joint : NAN;
  d.move.reset();
  if (const auto& m = kept.raw.move; m && m->divergent) ++statistics.divergences;
  if (const auto& m = kept.raw.move)
    d.move = {m->acceptance, m->step_size, m->depth, m->steps, m->divergent, m->energy};
  d.pointwise.clear();
  for (const ObserveScore& o : kept.raw.observes)
    d.pointwise.push_back({line_of(o.site), o.log_prob});
  d.index = given++;
  d.sweep = kept.raw.sweep;
  d.chain = kept.raw.chain;
  d.applications = kept.raw.applications;
  d.run_simulations = kept.run_simulations;
  d.run_applications = kept.run_applications;
  d.run_seconds = kept.run_seconds;
  d.result = Access::view(kept.raw.result);
  d.predicts.resize(kept.predicts.size());
  for (std::size_t i = 0; i < kept.predicts.size(); ++i) {
    d.predicts[i].label = label_text(kept.predicts[i].first);
    d.predicts[i].value = Access::view(kept.predicts[i].second);
  }
}

Inference::Inference(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Inference::Inference(Inference&&) noexcept = default;
Inference& Inference::operator=(Inference&&) noexcept = default;
Inference::~Inference() = default;

const RunStatistics& Inference::statistics() const {
  impl_->update_statistics();
  return impl_->statistics;
}
std::uint64_t Inference::seed() const { return impl_->options.seed; }

std::vector<LineProfile> Inference::profile() {
  std::vector<LineProfile> lines;
  for (const LineCost& c :
       profile_lines(impl_->setup, impl_->query_line,
                     [this](std::uint32_t site) { return impl_->line_of(site); }))
    lines.push_back(
        {c.line, c.samples, c.observes, c.applications, c.seconds, c.weight_variance, c.ess_loss});
  return lines;
}

std::vector<PassTime> Inference::native_passes() {
  std::vector<PassTime> out;
  for (native::TimedStep& step : native::time_segments(impl_->setup))
    out.push_back({std::move(step.name), std::move(step.doc), step.seconds});
  return out;
}

const Draw* Inference::next() {
  Impl& x = *impl_;
  if (x.ended) return nullptr;
  if (!x.world) return x.next();
  if (x.world->rank() > 0) {
    x.serve();
    return nullptr;
  }
  return ClusterAccess::guarded([&]() -> const Draw* {
    try {
      return x.next();
    } catch (const RunStopped& stopped) {  // while it waited for another rank
      x.fail(stopped.reason);
      return nullptr;
    }
  });
}

void Inference::leave_time(double seconds) {
  Impl& x = *impl_;
  std::atomic<std::int64_t>& deadline = x.session->run().limits->deadline_ns;
  if (deadline == 0 || !(seconds > x.left_seconds)) return;
  deadline -= static_cast<std::int64_t>((seconds - x.left_seconds) * 1e9);
  x.left_seconds = seconds;
}

void Inference::come_to_rest() {
  constexpr int kTries = 16;
  if (impl_->rules.rest_at > 0 || impl_->world) return;  // states of several ranks are not stored
  impl_->rules.rest_at = impl_->turns_to_rest_at();
  impl_->rest_tries = kTries;
}

bool Inference::at_rest() const { return impl_->rules.rest_at > 0 && impl_->scheduler->empty(); }

std::optional<std::string> Inference::state() const {
  const Impl& x = *impl_;
  if (x.stopping || x.world) return std::nullopt;
  ByteWriter to;
  to.number(x.given);
  to.number(x.statistics.divergences);
  if (x.densities) x.densities->save(to);
  to.real(x.host->nested_bias());
  to.number(x.statistics.warnings.size());
  for (const Message& m : x.statistics.warnings) save_message(to, m);
  if (!x.scheduler->save(to)) return std::nullopt;
  return to.take();
}

bool Inference::restore(std::string_view state, std::string* problem) {
  Impl& x = *impl_;
  ByteReader from(state, memory_limit(x.options.limits));
  x.given = from.number();
  x.statistics.divergences = from.number();
  if (x.densities) x.densities->restore(from);
  if (const double bias = from.real(); bias > 0) x.host->note_nested_bias(bias);
  const std::uint64_t warnings = from.count(10, sizeof(Message));
  for (std::uint64_t i = 0; i < warnings; ++i)
    x.statistics.warnings.push_back(restore_message(from));
  if (from.ok() && x.scheduler->restore(from) && from.done()) {
    std::uint64_t taken = 0;
    for (const auto& chain : x.scheduler->chains()) taken += chain->taken();
    if (taken == x.given) return true;
    from.fail("its draws are miscounted");
  }
  *problem = from.problem();
  return false;
}

const ValueView* Draw::find(std::string_view label) const {
  for (const Predict& p : predicts)
    if (p.label == label ||
        (p.label.size() == label.size() + 1 && p.label[0] == ':' && p.label.substr(1) == label))
      return &p.value;
  return nullptr;
}

const ValueView& Draw::operator[](std::string_view label) const {
  if (const ValueView* found = find(label)) return *found;
  throw_error(Code::R013, fmt::format("the program predicts nothing under the label {}", label), "",
              ExitCode::Failed);
}

}  // namespace chancel
