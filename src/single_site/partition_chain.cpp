// SPDX-License-Identifier: Apache-2.0
// See partition_chain.hpp.
#include "single_site/partition_chain.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <unordered_map>

#include "base/planted.hpp"
#include "infer/history.hpp"
#include "infer/prefix.hpp"
#include "infer/resample.hpp"
#include "infer/rescoring.hpp"
#include "math/elementary.hpp"
#include "math/log_space.hpp"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"

namespace chancel {

namespace {
constexpr std::size_t kMostFree = 32;              // items in a row
constexpr std::uint64_t kSingleSiteSteps = 0x515;  // names their random numbers
constexpr std::size_t kMostTables = 20;  // of a first state whose items are apart, or at random
}  // namespace

bool is_seating(const Value& dist) {
  return dist.is(Tag::Dist) && std::strcmp(dist.as<Dist>()->type->name, "categorical-crp") == 0;
}

PartitionFit fit_of_partition(const RunSetup& setup) {
  constexpr int kTries = 3, kForced = 20, kMoves = 60;
  constexpr std::size_t kEnough = 5;  // items: fewer are as well moved one by one
  if (!setup.delayed_draws) return PartitionFit::Poor;
  RunSetup delayed = setup;
  delayed.delayed = true;
  delayed.seats_at_once = true;
  WorkerPool workers(delayed, nullptr, setup.max_memory);
  PartitionChain chain(workers, setup.name.child(kStepStream, 0));
  std::size_t items = 0;
  std::size_t others = 0;
  std::uint32_t observes = 0;
  bool same_observes = true;
  const auto look_at_observes = [&] {
    same_observes = same_observes && chain.observes() == observes;
    observes = chain.observes();
  };
  for (int i = kForced + kTries - 1; i >= 0; --i) {
    const FirstSeats seats = i < kTries              ? FirstSeats::ByScore
                             : i == kTries           ? FirstSeats::Together
                             : (i - kTries) % 4 == 1 ? FirstSeats::Apart
                                                     : FirstSeats::AtRandom;
    const PartitionChain::Begin found = chain.begin(seats);
    if (found == PartitionChain::Begin::Impossible && seats != FirstSeats::ByScore) continue;
    if (found != PartitionChain::Begin::Done || chain.items() < kEnough ||
        !chain.is_seated_in_turn())
      return PartitionFit::Poor;
    if (items == 0)
      observes = chain.observes();
    else if (chain.items() != items || chain.others() != others)
      return PartitionFit::Poor;
    look_at_observes();
    items = chain.items();
    others = chain.others();
  }
  for (int i = 0; i < kMoves; ++i) {
    if (!chain.move() || !chain.single_site_step() || chain.changed_structure() > 0)
      return PartitionFit::Poor;
    look_at_observes();
  }
  return same_observes ? PartitionFit::Good : PartitionFit::SeatsDecideObserves;
}

PartitionChain::PartitionChain(WorkerPool& workers, StreamName name)
    : workers_(workers), name_(name) {
  workers_.refuse_hidden_draws();
  workers_.add_roots([this](Evacuator& e) {
    for (Draw& d : now_.draws) {
      d.at.visit(e);
      e.visit(d.distribution);
      e.visit(d.value);
    }
    now_.last.visit(e);
    e.visit(now_.result);
  });
}

void PartitionChain::add_scores(State* state) {
  state->log_joint = state->log_before;
  for (std::size_t i = 0; i < state->scored; ++i) state->log_joint += state->draws[i].log_score;
}

double PartitionChain::log_after(const State& state, std::size_t first) {
  double sum = -state.draws[first].log_proposed;
  for (std::size_t i = first; i < state.scored; ++i) sum += state.draws[i].log_score;
  return sum;
}

// The execution continues with each option to its next checkpoint; an observe there counts.
bool PartitionChain::choose(const Draw& draw, const SeatingPlan& plan) {
  Executor& machine = workers_.machine();
  for (const std::size_t table : tables_) {
    Value value = plan.value_of(table);
    // Seated in turn, tables have the numbers from zero.
    if (value.is_nil()) value = Value::integer(static_cast<std::int64_t>(plan.occupied()));
    // Several options may be the same step of the program: they differ later.
    const auto same = std::find_if(choices_.begin(), choices_.end(),
                                   [&](const Choice& c) { return equal(c.value, value); });
    if (same != choices_.end()) {
      Choice copy = *same;
      copy.table = table;
      choices_.push_back(copy);
      continue;
    }
    Walker next(machine);
    Execution x = draw.at;
    Choice c{table, value, next};
    double score = kLogZero;
    if (!machine.score_for(x, draw.distribution, value, &score)) return fail(machine);
    c.log_prior = score;
    if (score > kLogZero) {
      c.next.begin(x, value);
      const Stop stop = c.next.run(leave, leave);
      if (stop == Stop::Failed) return fail(machine);
      c.log_weight = score + (stop == Stop::Observe ? c.next.stop.log_prob : 0);
    }
    choices_.push_back(c);
  }
  return true;
}

double PartitionChain::weigh_choices() {
  double largest = kLogZero;
  for (const Choice& c : choices_) largest = std::max(largest, c.log_weight);
  chances_.clear();
  chance_ = 0;
  if (largest == kLogZero) return kLogZero;
  for (const Choice& c : choices_) {
    chances_.push_back(math::exp(c.log_weight - largest));
    chance_ += chances_.back();
  }
  return largest + math::log(chance_);
}

// The choices that a pass would have had on its way to the present state. Its executions are those
// of the state: only what was not taken is run.
bool PartitionChain::look_back(std::size_t first, SeatingPlan& plan, double* log_sums) {
  *log_sums = 0;
  plan.begin(names_);
  for (std::size_t at = 0; at < now_.scored; ++at) {
    const Draw& d = now_.draws[at];
    if (!d.item) continue;
    if (at > first && plan.is_free(d.item - 1)) {
      plan.options(d.item - 1, &tables_);
      auto taken = std::find(tables_.begin(), tables_.end(), d.table);
      if (taken == tables_.end()) --taken;  // it opens its table
      tables_.erase(taken);
      choices_.assign(1,
                      {d.table, d.value, Walker(workers_.machine()), d.log_prior, d.log_proposed});
      if (!choose(d, plan)) return false;
      *log_sums += weigh_choices() - d.log_proposed;
    }
    plan.seat(d.item - 1, d.table, d.value);
  }
  return true;
}

PartitionChain::Pass PartitionChain::refuse_estimate(std::uint32_t site) {
  failure_ = Diagnostic{Code::I006,
                        Severity::Error,
                        workers_.setup().image->program->site(site).span,
                        "partition: this observe is estimated",
                        "use pgibbs, or give the conditional to :enumerate",
                        {}};
  return Pass::Failed;
}

PartitionChain::Pass PartitionChain::run(std::size_t first, SeatingPlan& plan, Stream& stream,
                                         State* to, double* log_sums) {
  Executor& machine = workers_.machine();
  machine.wants = {true, true};
  const bool fresh = plan.kind == SeatingPlan::Kind::All;
  *to = State{};
  *log_sums = 0;
  plan.begin(names_);
  std::size_t item = 0;
  Walker walker(machine);
  if (fresh) {
    walker.begin(workers_.setup());
  } else {
    to->draws.assign(now_.draws.begin(), now_.draws.begin() + static_cast<std::ptrdiff_t>(first));
    for (const Draw& d : to->draws)
      if (d.item) {
        plan.seat(d.item - 1, d.table, d.value);
        item = d.item;
      }
    const Draw& d = now_.draws[first];
    walker.begin_at_draw(d.at, d.distribution, d.site);
    to->observes = d.observes;
    to->log_before = now_.log_before;
  }
  to->scored = to->draws.size();
  Pass why = Pass::Done;  // the walk has ended before its end
  const auto end_walk = [&](Pass pass) {
    why = pass;
    return false;
  };
  const auto score = [&](Walker& w, Draw& d) {
    double log_prob = 0;
    if (!machine.score_for(w.at, d.distribution, d.value, &log_prob)) return w.failed();
    d.log_prior = d.log_score = d.log_proposed = log_prob;
    return true;
  };
  // Leaves at items that may choose among tables.
  Draw d;
  const auto draw = [&](Walker& w, Value* value) {
    d = Draw{};
    d.at = w.at;
    d.distribution = w.stop.dist;
    d.site = w.stop.site;
    d.observes = to->observes;
    const std::size_t at = to->draws.size();
    const bool tail = !fresh && at >= now_.scored;
    const bool seating = is_seating(d.distribution);
    const bool in_turn = seating && plan.is_in_turn(d.distribution);
    if (tail) {
      if (!w.draw(&d.value)) return false;
    } else if (!fresh && (now_.draws[at].site != d.site || (now_.draws[at].item != 0) != seating ||
                          (seating && !in_turn))) {
      return end_walk(Pass::ChangedStructure);
    } else if (in_turn) {
      return false;
    } else {
      if (seating) to->in_turn = false;  // a fresh state: drawn like any other
      if (!fresh && at != plan.other)
        d.value = now_.draws[at].value;
      else if (!w.draw(&d.value))
        return false;
      if (!score(w, d)) return false;
      if (!seating && d.log_prior == kLogZero) return end_walk(Pass::Impossible);
    }
    *value = d.value;
    to->draws.push_back(d);
    return true;
  };
  const auto observe = [&](Walker& w) {
    if (w.stop.log_prob == kLogZero) return end_walk(Pass::Impossible);
    if (w.stop.estimated) return end_walk(refuse_estimate(w.stop.site));
    ++to->observes;
    (to->draws.empty() ? to->log_before : to->draws.back().log_score) += w.stop.log_prob;
    to->scored = to->draws.size();
    return true;
  };
  while (walker.run(draw, observe) == Stop::Sample && why == Pass::Done) {
    d.item = ++item;
    const bool is_free = plan.is_free(item - 1);
    if (is_free)
      plan.options(item - 1, &tables_);
    else
      tables_.assign(1, now_.draws[to->draws.size()].table);
    if (fresh && first_seats_ != FirstSeats::ByScore) choose_first_table(stream);
    choices_.clear();
    if (!choose(d, plan)) return Pass::Failed;
    const double log_sum = weigh_choices();
    if (log_sum == kLogZero) return Pass::Impossible;
    const std::size_t taken =
        choices_.size() > 1 ? draw_index(chances_, chance_, stream) : std::size_t{0};
    const Choice& c = choices_[taken];
    if (is_free && to->draws.size() > first) *log_sums += log_sum - c.log_weight;
    d.table = c.table;
    d.value = c.value;
    d.log_prior = c.log_prior;
    d.log_score = d.log_proposed = c.log_weight;
    plan.seat(item - 1, c.table, c.value);
    to->draws.push_back(d);
    walker = c.next;
    if (walker.stop.kind == Stop::Observe) {  // it is in the weight
      if (walker.stop.log_prob == kLogZero) return Pass::Impossible;
      ++to->observes;
      to->scored = to->draws.size();
      walker.begin(walker.at);
    }
  }
  if (why != Pass::Done) return why;
  if (walker.stop.kind != Stop::Result) {
    fail(machine);
    return Pass::Failed;
  }
  for (std::size_t i = to->scored; i < to->draws.size(); ++i) to->draws[i].item = 0;
  to->last = walker.at;
  to->result = walker.stop.value;
  add_scores(to);
  applications_ += to->last.applications;
  if (!fresh && to->scored != now_.scored) return Pass::ChangedStructure;
  return Pass::Done;
}

// The last of tables_ is a new one.
void PartitionChain::choose_first_table(Stream& stream) {
  const std::size_t open = tables_.size() - 1;
  std::size_t taken = 0;
  if (first_seats_ == FirstSeats::Apart && open < kMostTables)
    taken = open;
  else if (first_seats_ != FirstSeats::Together)
    taken = std::min(
        open, static_cast<std::size_t>(stream.uniform() * static_cast<double>(most_tables_)));
  tables_ = {tables_[taken]};
}

PartitionChain::Begin PartitionChain::begin(FirstSeats seats) {
  Stream stream = workers_.stream(name_, 0xffffffffu, static_cast<std::uint32_t>(number_++));
  workers_.machine().stream = stream;
  first_seats_ = seats;
  most_tables_ = seats == FirstSeats::AtRandom
                     ? 1 + static_cast<std::size_t>(stream.uniform() * kMostTables)
                     : kMostTables;
  SeatingPlan plan;
  double log_sums = 0;
  names_ = 0;
  switch (run(0, plan, stream, &now_, &log_sums)) {
    case Pass::Failed:
      return Begin::Failed;
    case Pass::Impossible:
    case Pass::ChangedStructure:
      return Begin::Impossible;
    case Pass::Done:
      break;
  }
  find_items(&now_);
  accept();
  return Begin::Done;
}

// The state has changed: names of tables count from zero, in the order of their first use.
void PartitionChain::accept() {
  std::unordered_map<std::size_t, std::size_t> names;
  items_.clear();
  others_.clear();
  for (std::size_t i = 0; i < now_.scored; ++i) {
    Draw& d = now_.draws[i];
    if (d.item) d.table = names.emplace(d.table, names.size()).first->second;
    (d.item ? items_ : others_).push_back(i);
  }
  names_ = names.size();
}

// Proposes what the plan says, from draw `first` on, and accepts it or not.
bool PartitionChain::propose(SeatingPlan& plan, std::size_t first, Stream& stream) {
  const std::uint32_t site = now_.draws[first].site;
  double new_sums = 0;
  const Pass pass = run(first, plan, stream, &next_, &new_sums);
  if (pass == Pass::Failed) return false;
  if (moves_.size() <= site) moves_.resize(site + 1);
  ++proposals_;
  ++partition_moves_;
  ++moves_[site].proposals;
  if (pass == Pass::ChangedStructure) ++changed_structure_;
  if (pass != Pass::Done) return true;
  double old_sums = 0;
  if (!look_back(first, plan, &old_sums)) return false;
  if (planted(Mistake::SeatsWithoutSums)) new_sums = old_sums = 0;
  if (planted(Mistake::SeatsNotLookedBack)) old_sums = 0;
  const double log_new = log_after(next_, first) + new_sums;
  const double log_old = log_after(now_, first) + old_sums;
  if (math::log(stream.uniform()) >= log_new - log_old && !planted(Mistake::AcceptAlways))
    return true;
  ++accepted_;
  ++moves_[site].accepted;
  std::swap(now_, next_);
  accept();
  return true;
}

bool PartitionChain::split_or_merge(Stream& stream) {
  const std::size_t n = items_.size();
  SeatingPlan plan;
  plan.kind = SeatingPlan::Kind::Two;
  plan.anchors[0] = static_cast<std::size_t>(stream.uniform() * static_cast<double>(n));
  plan.anchors[1] = static_cast<std::size_t>(stream.uniform() * static_cast<double>(n - 1));
  if (plan.anchors[1] >= plan.anchors[0]) ++plan.anchors[1];
  const std::size_t tables[2] = {now_.draws[items_[plan.anchors[0]]].table,
                                 now_.draws[items_[plan.anchors[1]]].table};
  plan.free.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t table = now_.draws[items_[i]].table;
    plan.free[i] = table == tables[0] || table == tables[1];
  }
  const auto first = std::find(plan.free.begin(), plan.free.end(), true) - plan.free.begin();
  return propose(plan, items_[static_cast<std::size_t>(first)], stream);
}

// Items that follow each other: the pass is shorter than for items from everywhere, and costs hardly
// more than that of one item.
bool PartitionChain::move_items(Stream& stream) {
  const std::size_t n = items_.size();
  SeatingPlan plan;
  plan.kind = SeatingPlan::Kind::Some;
  plan.free.assign(n, false);
  const std::size_t most = std::clamp<std::size_t>(n / 2, 1, kMostFree);
  const auto length = 1 + static_cast<std::size_t>(stream.uniform() * static_cast<double>(most));
  // Every item is as likely to be free as any other.
  const auto end =
      1 + static_cast<std::size_t>(stream.uniform() * static_cast<double>(n + length - 1));
  const std::size_t begin = end > length ? end - length : 0;
  for (std::size_t i = begin; i < std::min(end, n); ++i) plan.free[i] = true;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t table = now_.draws[items_[i]].table;
    if (!plan.free[i] && std::find(plan.kept.begin(), plan.kept.end(), table) == plan.kept.end())
      plan.kept.push_back(table);
  }
  return propose(plan, items_[begin], stream);
}

bool PartitionChain::move_other(Stream& stream) {
  SeatingPlan plan;
  plan.kind = SeatingPlan::Kind::Other;
  plan.free.assign(items_.size(), false);
  plan.other =
      others_[static_cast<std::size_t>(stream.uniform() * static_cast<double>(others_.size()))];
  return propose(plan, plan.other, stream);
}

PartitionChain::Pass PartitionChain::keep_or_redraw(Execution& x, const Draw& old, Draw* draw,
                                                    double* log_ratio) {
  Executor& machine = workers_.machine();
  Fit before, after;
  const auto failed = [&] {
    fail(machine);
    return Pass::Failed;
  };
  if (!fit_at(machine, old.at, old.distribution, old.value, &before) ||
      !fit_at(machine, x, draw->distribution, old.value, &after))
    return failed();
  if (comparable(before, after)) {
    draw->value = old.value;
    *log_ratio += after.log_prob - before.log_prob;
    return Pass::Done;
  }
  Fit here, back;
  if (!draw_for(machine, x, draw->distribution, &draw->value) ||
      !fit_at(machine, x, draw->distribution, draw->value, &here) ||
      !fit_at(machine, old.at, old.distribution, draw->value, &back))
    return failed();
  return comparable(back, here) ? Pass::Impossible : Pass::Done;
}

PartitionChain::Pass PartitionChain::rerun(std::size_t first, State* to, double* log_ratio) {
  Executor& machine = workers_.machine();
  machine.wants = {true, true};
  *to = State{};
  *log_ratio = 0;
  // Draws of the present state by address: site and occurrence.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> old;
  std::unordered_map<std::uint32_t, std::uint32_t> occurrences;
  for (std::size_t i = 0; i < now_.draws.size(); ++i)
    old[{now_.draws[i].site, occurrences[now_.draws[i].site]++}] = i;
  occurrences.clear();
  to->draws.assign(now_.draws.begin(), now_.draws.begin() + static_cast<std::ptrdiff_t>(first));
  to->log_before = now_.log_before;
  for (const Draw& d : to->draws) ++occurrences[d.site];
  to->observes = now_.draws[first].observes;
  to->scored = std::min(now_.scored, first);
  double log_likelihood = 0;
  Pass why = Pass::Done;  // the walk has ended before its end
  const auto end_walk = [&](Pass pass) {
    why = pass;
    return false;
  };
  const auto keep_or_draw = [&](Walker& w, Value* value) {
    Draw d;
    d.at = w.at;
    d.distribution = w.stop.dist;
    d.site = w.stop.site;
    d.observes = to->observes;
    const auto found = old.find({d.site, occurrences[d.site]++});
    const Draw* const before =
        to->draws.size() > first && found != old.end() ? &now_.draws[found->second] : nullptr;
    if (before && same_dist_type(before->distribution, d.distribution) &&
        can_score(d.distribution)) {
      const Pass pass = keep_or_redraw(w.at, *before, &d, log_ratio);
      if (pass != Pass::Done) return end_walk(pass);
    } else if (!w.draw(&d.value)) {
      return false;
    }
    double score = 0;
    if (can_score(d.distribution) && !machine.score_for(w.at, d.distribution, d.value, &score))
      return w.failed();
    d.log_prior = d.log_score = d.log_proposed = score;
    to->draws.push_back(d);
    *value = d.value;
    return true;
  };
  const auto observe = [&](Walker& w) {
    if (w.stop.log_prob == kLogZero) return end_walk(Pass::Impossible);
    if (w.stop.estimated) return end_walk(refuse_estimate(w.stop.site));
    Draw& last = to->draws.back();
    if (last.observes == to->observes)
      last.log_proposed += is_seating(last.distribution) ? w.stop.log_prob : 0;
    ++to->observes;
    log_likelihood += w.stop.log_prob;
    last.log_score += w.stop.log_prob;
    to->scored = to->draws.size();
    return true;
  };
  const Draw& changed = now_.draws[first];
  Walker walker(machine);
  walker.begin_at_draw(changed.at, changed.distribution, changed.site);
  const Stop end = walker.run(keep_or_draw, observe);
  if (why != Pass::Done) return why;
  if (end != Stop::Result) {
    fail(machine);
    return Pass::Failed;
  }
  for (std::size_t i = first; i < now_.scored; ++i)
    log_likelihood -= now_.draws[i].log_score - now_.draws[i].log_prior;
  *log_ratio += log_likelihood;
  to->last = walker.at;
  to->result = walker.stop.value;
  add_scores(to);
  applications_ += to->last.applications;
  find_items(to);
  return Pass::Done;
}

void PartitionChain::find_items(State* state) {
  SeatingPlan plan;
  std::size_t items = 0;
  state->in_turn = true;
  for (std::size_t i = 0; i < state->draws.size(); ++i) {
    Draw& d = state->draws[i];
    d.item = 0;
    if (i >= state->scored || !is_seating(d.distribution)) continue;
    if (!plan.is_in_turn(d.distribution)) {
      state->in_turn = false;
      continue;
    }
    d.item = ++items;
    d.table = static_cast<std::size_t>(d.value.i);  // in turn: tables have the numbers from zero
    plan.seat(items - 1, d.table, d.value);
  }
}

bool PartitionChain::single_site_step() {
  Stream stream =
      workers_.stream(name_.child(kSingleSiteSteps, 0), static_cast<std::uint32_t>(number_ >> 32),
                      static_cast<std::uint32_t>(number_));
  ++number_;
  workers_.machine().stream = workers_.stream(name_.child(kNodeStream, number_), 0, 0);
  const std::size_t n = now_.draws.size();
  if (n == 0) return true;
  const auto first = static_cast<std::size_t>(stream.uniform() * static_cast<double>(n));
  const std::uint32_t site = now_.draws[first].site;
  double log_ratio = 0;
  const Pass pass = rerun(first, &next_, &log_ratio);
  if (pass == Pass::Failed) return false;
  if (moves_.size() <= site) moves_.resize(site + 1);
  ++proposals_;
  ++moves_[site].proposals;
  if (pass != Pass::Done) return true;
  if (!planted(Mistake::NoCardinality))
    log_ratio += math::log(static_cast<double>(n) / static_cast<double>(next_.draws.size()));
  if (math::log(stream.uniform()) >= log_ratio) return true;
  ++accepted_;
  ++moves_[site].accepted;
  std::swap(now_, next_);
  accept();
  return true;
}

bool PartitionChain::move() {
  Stream stream = workers_.stream(name_, static_cast<std::uint32_t>(number_ >> 32),
                                  static_cast<std::uint32_t>(number_));
  ++number_;
  const double kind = stream.uniform();
  workers_.machine().stream = workers_.stream(name_.child(kNodeStream, number_), 0, 0);
  constexpr double kOthers = 0.2;
  constexpr double kSplits = 0.3;  // of the rest
  bool ok = true;
  if (!now_.in_turn)
    ++partition_moves_, ++changed_structure_;  // nothing is proposed
  else if (!others_.empty() && (kind < kOthers || items_.empty()))
    ok = move_other(stream);
  else if (items_.size() > 1 && stream.uniform() < kSplits)
    ok = split_or_merge(stream);
  else if (!items_.empty())
    ok = move_items(stream);
  workers_.collect_if_due();
  return ok;
}

}  // namespace chancel
