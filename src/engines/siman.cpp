// SPDX-License-Identifier: Apache-2.0
// Engine siman: simulated annealing (Kirkpatrick, Gelatt & Vecchi 1983) for the most probable
// execution. A step changes one draw, keeps the others where they can be kept, and is accepted with
// probability min(1, exp(change of the log joint density / temperature)); the temperature falls by
// a factor with each step, and what a walk on the line tries lies closer with it.
#include <algorithm>
#include <cmath>

#include "engines/mode_search.hpp"
#include "math/elementary.hpp"
#include "value/dist_object.hpp"

namespace chancel {

namespace {

constexpr double kFirst = 10;     // temperature: modes are left for others
constexpr double kLowest = 1e-8;  // temperature: from there on it is a climb
constexpr double kDistributionShare =
    0.25;  // of changes on the line are draws from the distribution

class Siman final : public ModeSearch {
 public:
  Siman(const RunSetup& setup, double rate, bool candidates)
      : ModeSearch(setup, candidates), rate_(rate) {
    workers_.add_roots([this](Evacuator& e) { visit(now_, e); });
  }

 protected:
  bool try_one(GuidedRun* run) override {
    Stream& stream = next_stream();
    const std::size_t changed = now_.draws.empty() ? 0 : stream.below(now_.draws.size());
    std::size_t next = 0;  // draws of a fixed structure come in the same order
    const auto propose = [&](const GuidedDraw& d, Stream& s) -> std::optional<Value> {
      const GuidedDraw* old = find(d, next++);
      if (!old || old->dist.as<Dist>()->type != d.dist.as<Dist>()->type) return std::nullopt;
      if (old != &now_.draws[changed]) return old->value;
      if (d.kind != DrawKind::Line || !old->value.is(Tag::Double)) return std::nullopt;
      const bool improper = d.dist.as<Dist>()->type->improper;
      if (!improper && s.uniform() < kDistributionShare) return std::nullopt;
      return Value::real(old->value.d + scale_of(d.dist) * s.normal());
    };
    if (!runs_.run(propose, run)) return false;
    accept_ = stream.uniform_open();
    return true;
  }

  void learn(const GuidedRun& run, double joint) override {
    temperature_ = std::max(temperature_ * rate_, kLowest);
    if (joint == kLogZero) return;
    const double before = log_joint(now_);
    const bool first = number_ == 1 || now_.draws.empty() || before == kLogZero;
    if (!first && math::log(accept_) * temperature_ >= joint - before) return;
    now_ = run;
    ++statistics_.accepted;
  }

 private:
  const GuidedDraw* find(const GuidedDraw& d, std::size_t at) const {
    const auto same = [&](const GuidedDraw& o) {
      return o.kind != DrawKind::Other && o.address.key == d.address.key &&
             o.address.occurrence == d.address.occurrence;
    };
    if (at < now_.draws.size() && same(now_.draws[at])) return &now_.draws[at];
    const auto found = std::find_if(now_.draws.begin(), now_.draws.end(), same);
    return found == now_.draws.end() ? nullptr : &*found;
  }

  double scale_of(const Value& dist) const {
    const auto* d = dist.as<Dist>();
    const double sd = d->type->variance ? std::sqrt(d->type->variance(d)) : 1;
    return std::sqrt(std::min(1.0, temperature_)) * (std::isfinite(sd) && sd > 0 ? sd : 1);
  }

  double rate_, temperature_ = kFirst, accept_ = 0;
  GuidedRun now_;
};

}  // namespace

EngineDef siman_engine() {
  EngineDef def{
      "siman",
      "simulated annealing: looks for the most probable execution",
      {real_option("cooling-rate", 0.99, kAboveZero, 1, "factor of the temperature with each step"),
       candidates_option()},
      [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
        return std::make_unique<Siman>(setup, read.real("cooling-rate"),
                                       read.asks_for("predict-candidates"));
      }};
  def.finds_mode = true;
  return def;
}

}  // namespace chancel
