// SPDX-License-Identifier: Apache-2.0
// See partition_chain.hpp.
#include "infer/partition_chain.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "infer/prefix.hpp"
#include "infer/resample.hpp"
#include "math/log_space.hpp"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"

namespace chancel {

namespace {
constexpr std::size_t kNoItem = ~std::size_t{0};

}  // namespace

bool is_seating(const Value& law) {
  return law.is(Tag::Dist) && std::strcmp(law.as<Dist>()->type->name, "categorical-crp") == 0;
}

bool suits_partition(const RunSetup& setup) {
  constexpr int kTries = 3;
  constexpr std::size_t kEnough = 5;  // items: fewer are as well moved one by one
  if (!setup.delayed_draws) return false;
  RunSetup delayed = setup;
  delayed.delayed = true;
  delayed.seats_at_once = true;
  WorkerPool workers(delayed, nullptr, setup.max_memory);
  PartitionChain chain(workers, setup.name.child(kStepStream, 0));
  std::size_t items = 0;
  std::size_t others = 0;
  for (int i = 0; i < kTries; ++i) {
    if (chain.begin() != PartitionChain::Begin::Done || chain.items() < kEnough) return false;
    if (i > 0 && (chain.items() != items || chain.others() != others)) return false;
    items = chain.items();
    others = chain.others();
  }
  return true;
}

// Who is free, and where the tables of this pass are.
struct PartitionChain::Plan {
  enum class Kind { All, Two, One, Other } kind = Kind::All;
  std::vector<bool> free;                       // items
  std::size_t anchors[2] = {kNoItem, kNoItem};  // the two items that were picked
  std::size_t other = kNoItem;                  // place of the draw that is drawn anew
  std::vector<std::size_t> kept_tables;         // names of tables with items that are not free

  // of the pass
  std::unordered_map<std::size_t, Value> values;  // of the process, for tables that are in use
  std::vector<std::size_t> used;                  // names, in the order of their first use
  std::vector<std::size_t> groups;                // tables of free items (Two)
  std::size_t anchored = kNoItem;                 // table of the first anchor that was seated
  bool both_anchored = false;
  std::size_t fresh_name = 0;  // of the next new table
  // When the choices are those of the present state: tables by their names there.
  std::unordered_map<std::size_t, std::size_t> followed;

  void begin(std::size_t first_name) {
    values.clear();
    used.clear();
    groups.clear();
    anchored = kNoItem;
    both_anchored = false;
    fresh_name = first_name;
    followed.clear();
  }
  void seat(std::size_t item, std::size_t table, const Value& value) {
    if (values.emplace(table, value).second) used.push_back(table);
    if (table >= fresh_name) fresh_name = table + 1;
    if (item < free.size() && free[item] && kind == Kind::Two) {
      if (std::find(groups.begin(), groups.end(), table) == groups.end()) groups.push_back(table);
      if (item == anchors[0] || item == anchors[1]) {
        both_anchored = anchored != kNoItem;
        if (!both_anchored) anchored = table;
      }
    }
  }
  // Tables at which the item may be seated.
  std::vector<std::size_t> options(std::size_t item) const {
    if (kind == Kind::All) {
      std::vector<std::size_t> out = used;
      out.push_back(fresh_name);
      return out;
    }
    if (kind == Kind::One) {
      std::vector<std::size_t> out = kept_tables;
      out.push_back(fresh_name);
      return out;
    }
    if (groups.empty()) return {fresh_name};
    const bool second_anchor = (item == anchors[0] || item == anchors[1]) && anchored != kNoItem;
    if (groups.size() == 2) {
      if (!second_anchor) return groups;
      return {groups[0] == anchored ? groups[1] : groups[0]};
    }
    if (both_anchored) return groups;
    return {groups[0], fresh_name};
  }
};

PartitionChain::PartitionChain(WorkerPool& workers, StreamName name)
    : workers_(workers), name_(name) {
  workers_.refuse_hidden_draws();
  workers_.add_roots([this](Evacuator& e) {
    for (Draw& d : now_.draws) {
      d.at.visit(e);
      e.visit(d.law);
      e.visit(d.value);
    }
    now_.last.visit(e);
    e.visit(now_.result);
  });
}

double PartitionChain::log_after(const State& state, std::size_t first) {
  double sum = -state.draws[first].log_proposed;
  for (std::size_t i = first; i < state.draws.size(); ++i) sum += state.draws[i].log_score;
  return sum;
}

// The execution goes on with each option to its next checkpoint; an observe there counts.
bool PartitionChain::choose(const Draw& draw, const std::vector<std::size_t>& tables,
                            const Plan& plan) {
  Executor& machine = workers_.machine();
  choices_.clear();
  const auto* law = draw.law.as<Dist>();
  Value support = Value::nil();
  for (const std::size_t table : tables) {
    Value value = Value::nil();
    if (const auto known = plan.values.find(table); known != plan.values.end()) {
      value = known->second;
    } else {  // the number that no table of the pass has
      if (support.is_nil()) support = law->type->enumerate(law, machine.arena());
      const auto* values = support.as<Vector>();
      for (std::uint32_t i = 0; i < values->count && value.is_nil(); ++i) {
        const Value& v = vector_nth(values, i);
        if (std::none_of(plan.values.begin(), plan.values.end(),
                         [&](const auto& used) { return equal(used.second, v); }))
          value = v;
      }
    }
    // Several options may be the same step of the program: they differ later.
    const auto same = std::find_if(choices_.begin(), choices_.end(), [&](const Choice& c) {
      return !value.is_nil() && equal(c.value, value);
    });
    if (same != choices_.end()) {
      Choice copy = *same;
      copy.table = table;
      choices_.push_back(copy);
      continue;
    }
    Choice c{table, value, draw.at, {}, kLogZero};
    double score = kLogZero;
    if (!value.is_nil() && !machine.score_for(c.at, draw.law, value, &score)) return fail(machine);
    if (score > kLogZero) {
      machine.resume(c.at, value, c.stop);
      if (c.stop.kind == Stop::Failed) return fail(machine);
      c.log_weight = score + (c.stop.kind == Stop::Observe ? c.stop.log_prob : 0);
    }
    choices_.push_back(c);
  }
  return true;
}

PartitionChain::Pass PartitionChain::run(std::size_t first, Plan& plan, bool follow, Stream& stream,
                                         State* to, double* log_w) {
  Executor& machine = workers_.machine();
  machine.wants = {true, true};
  const auto failed = [&] {
    fail(machine);
    return Pass::Failed;
  };
  const bool fresh = plan.kind == Plan::Kind::All;
  *to = State{};
  *log_w = 0;
  plan.begin(names_);
  std::size_t item = 0;
  Execution x;
  Checkpoint stop;
  std::uint32_t observes = 0;
  if (fresh) {
    x = machine.start(workers_.setup().query, &workers_.setup().argument, 1);
    machine.resume(x, Value::nil(), stop);
  } else {
    to->draws.assign(now_.draws.begin(), now_.draws.begin() + static_cast<std::ptrdiff_t>(first));
    for (const Draw& d : to->draws)
      if (d.item) {
        plan.seat(d.item - 1, d.table, d.value);
        item = d.item;
      }
    const Draw& d = now_.draws[first];
    x = d.at;
    observes = d.observes;
    stop.kind = Stop::Sample;
    stop.dist = d.law;
    stop.site = d.site;
  }
  double before = 0;  // scores of observes before any draw
  std::size_t last_observed = to->draws.size();
  for (;;) {
    if (stop.kind == Stop::Failed) return failed();
    if (stop.kind == Stop::Result) break;
    if (stop.kind == Stop::Observe) {
      if (stop.log_prob == kLogZero) return Pass::Impossible;
      if (stop.estimated) {
        failure_ = Diagnostic{Code::I006,
                              Severity::Error,
                              workers_.setup().image->program->site(stop.site).span,
                              "partition: this observe is estimated",
                              "use pgibbs, or give the conditional to :enumerate",
                              {}};
        return Pass::Failed;
      }
      ++observes;
      *log_w += stop.log_prob;
      if (to->draws.empty())
        before += stop.log_prob;
      else
        to->draws.back().log_score += stop.log_prob;
      last_observed = to->draws.size();
      machine.resume(x, Value::nil(), stop);
      continue;
    }
    Draw d;
    d.at = x;
    d.law = stop.dist;
    d.site = stop.site;
    d.observes = observes;
    const bool tail = !fresh && observes == now_.observes;
    if (tail && follow) return Pass::Done;
    if (tail) {
      if (!draw_for(machine, x, d.law, &d.value)) return failed();
      machine.resume(x, d.value, stop);
      continue;
    }
    const std::size_t at = to->draws.size();
    const bool seating = is_seating(d.law);
    if (!fresh && (at >= now_.draws.size() || now_.draws[at].site != d.site ||
                   (now_.draws[at].item != 0) != seating))
      return Pass::Impossible;
    if (!seating) {
      const bool anew = fresh || at == plan.other;
      if (anew && !follow) {
        if (!draw_for(machine, x, d.law, &d.value)) return failed();
      } else {
        d.value = now_.draws[at].value;
      }
      double score = 0;
      if (!machine.score_for(x, d.law, d.value, &score)) return failed();
      if (score == kLogZero) return Pass::Impossible;
      d.log_score = d.log_proposed = score;
      if (!anew) *log_w += score;
      to->draws.push_back(d);
      machine.resume(x, d.value, stop);
      continue;
    }
    d.item = ++item;
    const bool is_free = fresh || plan.free[item - 1];
    const auto options =
        is_free ? plan.options(item - 1) : std::vector<std::size_t>{now_.draws[at].table};
    if (!choose(d, options, plan)) return Pass::Failed;
    double largest = kLogZero;
    for (const Choice& c : choices_) largest = std::max(largest, c.log_weight);
    if (largest == kLogZero) return Pass::Impossible;
    chances_.clear();
    double sum = 0;
    for (const Choice& c : choices_) {
      chances_.push_back(std::exp(c.log_weight - largest));
      sum += chances_.back();
    }
    std::size_t taken = 0;
    if (!follow) {
      if (choices_.size() > 1) taken = draw_index(chances_, sum, stream);
    } else if (is_free) {
      const std::size_t table =
          plan.followed.emplace(now_.draws[at].table, plan.fresh_name).first->second;
      while (taken < choices_.size() && choices_[taken].table != table) ++taken;
      CHANCEL_ASSERT(taken < choices_.size(), "the present state is no choice of its own move");
    }
    const Choice& c = choices_[taken];
    *log_w += largest + std::log(sum);
    d.table = c.table;
    d.value = c.value;
    d.log_score = d.log_proposed = c.log_weight;
    plan.seat(item - 1, c.table, c.value);
    to->draws.push_back(d);
    x = c.at;
    stop = c.stop;
    if (stop.kind == Stop::Observe) {  // it is in the weight
      if (stop.log_prob == kLogZero) return Pass::Impossible;
      ++observes;
      last_observed = to->draws.size();
      machine.resume(x, Value::nil(), stop);
    }
  }
  to->draws.resize(std::min(to->draws.size(), last_observed));
  to->observes = observes;
  to->last = x;
  to->result = stop.value;
  to->log_joint = before;
  for (const Draw& d : to->draws) to->log_joint += d.log_score;
  applications_ += x.applications;
  if (!fresh && (observes != now_.observes || to->draws.size() != now_.draws.size()))
    return Pass::Impossible;
  return Pass::Done;
}

PartitionChain::Begin PartitionChain::begin() {
  Stream stream = workers_.stream(name_, 0xffffffffu, static_cast<std::uint32_t>(number_++));
  workers_.machine().stream = stream;
  Plan plan;
  double log_w = 0;
  switch (run(0, plan, false, stream, &now_, &log_w)) {
    case Pass::Failed:
      return Begin::Failed;
    case Pass::Impossible:
      return Begin::Impossible;
    case Pass::Done:
      break;
  }
  names_ = plan.fresh_name;
  items_.clear();
  others_.clear();
  for (std::size_t i = 0; i < now_.draws.size(); ++i)
    (now_.draws[i].item ? items_ : others_).push_back(i);
  return Begin::Done;
}

// Proposes what the plan says, from draw `first` on, and accepts it or not.
bool PartitionChain::settle(Plan& plan, std::size_t first, std::uint32_t site, Stream& stream) {
  double log_new = 0;
  const Pass pass = run(first, plan, false, stream, &next_, &log_new);
  if (pass == Pass::Failed) return false;
  if (moves_.size() <= site) moves_.resize(site + 1);
  ++proposals_;
  ++moves_[site].proposals;
  if (pass == Pass::Impossible) return true;
  double log_old = 0;
  if (plan.kind == Plan::Kind::Two) {
    State same;
    if (run(first, plan, true, stream, &same, &log_old) != Pass::Done) return !failure_;
    if (planted(workers_.setup().sabotage, Sabotage::SeatsWithoutSums)) {
      log_old = log_after(now_, first);
      log_new = log_after(next_, first);
    }
  } else {
    // The choices at `first` are the same ones, seen from both states.
    log_old = log_after(now_, first);
    log_new = log_after(next_, first);
  }
  if (std::log(stream.uniform()) >= log_new - log_old) return true;
  ++accepted_;
  ++moves_[site].accepted;
  std::swap(now_, next_);
  // Names from zero, in the order of their first use.
  std::unordered_map<std::size_t, std::size_t> names;
  for (Draw& d : now_.draws)
    if (d.item) d.table = names.emplace(d.table, names.size()).first->second;
  names_ = names.size();
  return true;
}

bool PartitionChain::split_or_merge(Stream& stream) {
  const std::size_t n = items_.size();
  Plan plan;
  plan.kind = Plan::Kind::Two;
  plan.anchors[0] = static_cast<std::size_t>(stream.uniform() * static_cast<double>(n));
  plan.anchors[1] = static_cast<std::size_t>(stream.uniform() * static_cast<double>(n - 1));
  if (plan.anchors[1] >= plan.anchors[0]) ++plan.anchors[1];
  const std::size_t tables[2] = {now_.draws[items_[plan.anchors[0]]].table,
                                 now_.draws[items_[plan.anchors[1]]].table};
  plan.free.resize(n);
  std::size_t first = kNoItem;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t table = now_.draws[items_[i]].table;
    plan.free[i] = table == tables[0] || table == tables[1];
    if (plan.free[i] && first == kNoItem) first = items_[i];
  }
  return settle(plan, first, now_.draws[first].site, stream);
}

bool PartitionChain::move_item(Stream& stream) {
  Plan plan;
  plan.kind = Plan::Kind::One;
  plan.free.assign(items_.size(), false);
  const auto item = static_cast<std::size_t>(stream.uniform() * static_cast<double>(items_.size()));
  plan.free[item] = true;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const std::size_t table = now_.draws[items_[i]].table;
    if (i != item && std::find(plan.kept_tables.begin(), plan.kept_tables.end(), table) ==
                         plan.kept_tables.end())
      plan.kept_tables.push_back(table);
  }
  return settle(plan, items_[item], now_.draws[items_[item]].site, stream);
}

bool PartitionChain::move_other(Stream& stream) {
  Plan plan;
  plan.kind = Plan::Kind::Other;
  plan.free.assign(items_.size(), false);
  plan.other =
      others_[static_cast<std::size_t>(stream.uniform() * static_cast<double>(others_.size()))];
  return settle(plan, plan.other, now_.draws[plan.other].site, stream);
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
  if (!others_.empty() && (kind < kOthers || items_.empty()))
    ok = move_other(stream);
  else if (items_.size() > 1 && stream.uniform() < kSplits)
    ok = split_or_merge(stream);
  else if (!items_.empty())
    ok = move_item(stream);
  workers_.collect_if_due();
  return ok;
}

}  // namespace chancel
