// SPDX-License-Identifier: Apache-2.0
// Engine bbvb: black-box variational Bayes over executions (Ranganath, Gerrish & Blei 2014; for
// programs: Wingate & Weber 2013). Each draw has a proposal of its own, by address: a normal on the
// real line (of the value, its logarithm or its log odds, as the distribution's support requires)
// or probabilities of the values of a finite distribution. Steps of natural gradients of the
// evidence lower bound, with the score function and control variates, bring the proposals to the
// posterior.
//
// That happens in the warm-up, whose executions come from the proposals alone. The draws that are given
// out afterwards are importance samples from a defensive mixture of whole executions (Hesterberg 1995):
// with probability a = 1/16 an execution runs as the program says (density p of its draws), otherwise
// all its draws come from the proposals (density q). Its weight is L p / (a p + (1 - a) q), where L is
// its likelihood, whichever component it came from: at most 16 L, however many draws there are, so the
// weights have a tail only where those of importance sampling have one. Weights are unbiased, and their
// mean estimates the evidence; the fit decides their variance alone.
// Draws that have no proposal (other kinds, or a distribution of another type than the one that was
// fitted at their address) come from the program's distribution in both components.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/planted.hpp"
#include "engines/guided_engine.hpp"
#include "fmt/format.h"
#include "math/elementary.hpp"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"

namespace chancel {

namespace {

constexpr std::size_t kMostValues = 1000;  // of a finite distribution with a proposal of its own
constexpr double kMostShift = 1;           // of a step: in standard deviations, log scales, logits
constexpr double kPriorShare = 1.0 / 16;   // a: of the executions that are given out
constexpr double kWideStart = 1;

enum class Line : std::uint8_t { Itself, Log, LogOdds, None };

Line line_of(const Value& dist) {
  const DistType& type = *dist.as<Dist>()->type;
  if (type.improper) return Line::None;
  switch (type.support) {
    case DistSupport::Real:
      return Line::Itself;
    case DistSupport::Positive:
    case DistSupport::NonNegative:
      return Line::Log;
    case DistSupport::UnitInterval:
      return Line::LogOdds;
    default:
      return Line::None;
  }
}

// A draw's proposal, and what the executions of a step say about it.
struct Factor {
  const DistType* type = nullptr;
  Line line = Line::None;
  double mean = 0, log_sd = 0;
  std::vector<Value> values;   // of a finite distribution,
  std::vector<double> logits;  // and theirs
  std::vector<double> log_probs;
  std::uint64_t steps = 0;

  struct Seen {
    double a = 0;  // the standardised value; or the place of the value
    double reward = 0;
  };
  std::vector<Seen> seen;

  bool proposes() const { return line != Line::None || !values.empty(); }
  double log_density(const Value& v) const {
    if (line == Line::None) {
      for (std::size_t k = 0; k < values.size(); ++k)
        if (equal(values[k], v)) return log_probs[k];
      return kLogZero;
    }
    const double x = v.d, y = on_line(x), z = (y - mean) / math::exp(log_sd);
    if (!std::isfinite(y)) return kLogZero;  // at a bound of the support
    double out = -0.5 * z * z - log_sd - 0.5 * math::log(2 * std::numbers::pi);
    if (line == Line::Log) out -= math::log(x);
    if (line == Line::LogOdds) out -= math::log(x) + math::log1p(-x);
    return out;
  }
  double on_line(double x) const {
    return line == Line::Log ? math::log(x) : line == Line::LogOdds ? logit(x) : x;
  }
  Value draw(Stream& stream) const {
    if (line == Line::None) {
      double at = stream.uniform();
      std::size_t k = 0;
      for (; k + 1 < values.size(); ++k) {
        at -= math::exp(log_probs[k]);
        if (at < 0) break;
      }
      return values[k];
    }
    const double y = mean + math::exp(log_sd) * stream.normal();
    if (line == Line::Log) return Value::real(math::exp(y));
    return Value::real(line == Line::LogOdds ? 1 / (1 + math::exp(-y)) : y);
  }
  void normalise() {
    log_probs = logits;
    const double all = log_sum_exp(logits);
    for (double& p : log_probs) p -= all;
  }
  void learn(double step_size);
};

// The best constant to take from the rewards before they multiply the scores (Ranganath et al.).
double baseline(const std::vector<Factor::Seen>& seen, const auto& score) {
  double up = 0, down = 0;
  for (const Factor::Seen& s : seen) {
    const double g = score(s);
    up += g * g * s.reward;
    down += g * g;
  }
  return down > 0 ? up / down : 0;
}

void Factor::learn(double step_size) {
  if (seen.size() < 2) {
    seen.clear();
    return;
  }
  const auto n = static_cast<double>(seen.size());
  const auto clipped = [&](double x) {
    return std::isfinite(x) ? std::clamp(step_size * x, -kMostShift, kMostShift) : 0;
  };
  const auto slope = [&](const auto& score) {
    const double b = baseline(seen, score);
    double sum = 0;
    for (const Seen& s : seen) sum += score(s) * (s.reward - b);
    return sum / n;
  };
  if (line != Line::None) {
    const double by_mean = slope([](const Seen& s) { return s.a; });
    const double by_scale = slope([](const Seen& s) { return s.a * s.a - 1; });
    mean += math::exp(log_sd) * clipped(by_mean);
    log_sd += clipped(0.5 * by_scale);
  } else {
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double p = math::exp(log_probs[k]);
      const double g = slope([&](const Seen& s) { return (s.a == static_cast<double>(k)) - p; });
      logits[k] += clipped(p > 0 ? g / p : 0);
    }
    normalise();
  }
  ++steps;
  seen.clear();
}

class Bbvb final : public GuidedEngine {
 public:
  Bbvb(const RunSetup& setup, std::uint64_t particles, double step_size)
      : GuidedEngine(setup), particles_(particles), step_size_(step_size) {
    workers_.add_roots([this](Evacuator& e) {
      for (auto& list : factors_)
        for (Factor& f : list)
          for (Value& v : f.values) e.visit(v);
      e.visit(variational_);
    });
  }

  bool advance(Sink& sink) override {
    const bool warming_up = statistics_.warmup < setup_.warmup;
    if (!warming_up) describe();
    for (std::uint64_t i = 0; i < particles_; ++i)
      if (!run_once(i, warming_up ? nullptr : &sink)) return false;
    if (warming_up) {
      const double size = step_size_ / math::pow(1 + 0.02 * static_cast<double>(number_), 0.7);
      for (auto& list : factors_)
        for (Factor& f : list) f.learn(size);
    }
    end_step();
    if (warming_up) {
      ++statistics_.warmup;
      return true;
    }
    return report(sink);
  }

 private:
  bool run_once(std::uint64_t i, Sink* sink) {
    Stream& random = stream_of(i);
    const bool from_prior = sink && random.uniform() < kPriorShare;
    const auto propose = [&](const GuidedDraw& d, Stream& stream) -> std::optional<Value> {
      Factor& f = factor_of(d);
      if (from_prior || !f.proposes()) return std::nullopt;
      return f.draw(stream);
    };
    GuidedRun run;
    if (!this->run(propose, &run)) return false;
    const bool possible = run.log_likelihood != kLogZero;
    if (!sink) {
      const double reward = possible ? run.log_likelihood - log_ratio(run) : 0;
      if (possible)
        for (const GuidedDraw& d : run.draws) note(d, reward);
      return true;
    }
    const double log_weight = possible ? run.log_likelihood - log_mixture_ratio(run) : kLogZero;
    give(run, log_weight, *sink, variational_);
    return true;
  }

  // What bbvb has learnt about this draw, by its address; if nothing yet: from the first
  // distribution there.
  Factor& factor_of(const GuidedDraw& d) {
    const auto [key, occurrence] = d.address;
    if (key >= factors_.size()) factors_.resize(key + 1);
    auto& list = factors_[key];
    while (list.size() <= occurrence) list.push_back(first_factor(d));
    Factor& f = list[occurrence];
    return f.type == d.dist.as<Dist>()->type ? f : none_;
  }

  Factor first_factor(const GuidedDraw& d) {
    Factor f;
    const auto* dist = d.dist.as<Dist>();
    f.type = dist->type;
    if (d.kind == DrawKind::Line) {
      f.line = line_of(d.dist);
      if (f.line == Line::Itself) {
        const double mean = dist->type->mean ? dist->type->mean(dist) : 0;
        const double sd = dist->type->variance ? std::sqrt(dist->type->variance(dist)) : 1;
        f.mean = std::isfinite(mean) ? mean : 0;
        f.log_sd = std::isfinite(sd) && sd > 0 ? math::log(sd * kWideStart) : 0;
      } else if (f.line == Line::Log && dist->type->mean) {
        const double mean = dist->type->mean(dist);
        if (std::isfinite(mean) && mean > 0) f.mean = math::log(mean);
      }
    } else if (dist->type->enumerate) {
      take_values(d.dist, f);
    }
    return f;
  }

  // The values of a finite distribution; its probabilities are the initial ones.
  void take_values(const Value& dist, Factor& f) {
    Executor& m = workers_.machine();
    const Value all = dist.as<Dist>()->type->enumerate(dist.as<Dist>(), m.arena());
    if (!all.is(Tag::Vector) || all.as<Vector>()->count > kMostValues) return;
    Execution nowhere;
    for (std::uint32_t i = 0; i < all.as<Vector>()->count; ++i) {
      const Value v = vector_nth(all.as<Vector>(), i);
      double log_prob = kLogZero;
      if (!m.score_for(nowhere, dist, v, &log_prob) || log_prob == kLogZero) continue;
      f.values.push_back(v);
      f.logits.push_back(log_prob);
    }
    f.normalise();
  }

  // log of q / p of the execution's draws.
  double log_ratio(const GuidedRun& run) {
    if (planted(Mistake::ProposalLeftOut)) return 0;
    double sum = 0;
    for (const GuidedDraw& d : run.draws) sum += log_ratio(d);
    return sum;
  }
  double log_ratio(const GuidedDraw& d) {
    if (d.kind == DrawKind::Other) return 0;
    const Factor& f = factor_of(d);
    return f.proposes() ? f.log_density(d.value) - d.log_prior : 0;
  }
  // log of (a p + (1 - a) q) / p.
  double log_mixture_ratio(const GuidedRun& run) {
    const double prior = math::log(kPriorShare), proposals = math::log1p(-kPriorShare);
    if (planted(Mistake::MixtureOfDraws)) {
      double sum = 0;
      for (const GuidedDraw& d : run.draws) sum += log_add(prior, proposals + log_ratio(d));
      return sum;
    }
    return log_add(prior, proposals + log_ratio(run));
  }

  void note(const GuidedDraw& d, double reward) {
    if (d.kind == DrawKind::Other) return;
    Factor& f = factor_of(d);
    if (!f.proposes()) return;
    if (f.line != Line::None) {
      f.seen.push_back({(f.on_line(d.value.d) - f.mean) / math::exp(f.log_sd), reward});
      return;
    }
    for (std::size_t k = 0; k < f.values.size(); ++k)
      if (equal(f.values[k], d.value)) f.seen.push_back({static_cast<double>(k), reward});
  }

  // The proposals as a value: by [id occurrence], or [place occurrence] for draws without an id.
  void describe() {
    Arena& arena = workers_.machine().arena();
    variational_ = empty_map(arena);
    const auto key = [](const char* name) { return Value::keyword(intern(name)); };
    for (std::uint32_t k = 0; k < factors_.size(); ++k)
      for (std::uint32_t n = 0; n < factors_[k].size(); ++n) {
        const Factor& f = factors_[k][n];
        if (!f.proposes()) continue;
        Value distribution = empty_map(arena);
        const auto add = [&](const char* name, const Value& v) {
          distribution = map_assoc(arena, distribution, key(name), v);
        };
        if (f.line == Line::None) {
          Value probabilities = empty_map(arena);
          for (std::size_t i = 0; i < f.values.size(); ++i)
            probabilities = map_assoc(arena, probabilities, f.values[i],
                                      Value::real(math::exp(f.log_probs[i])));
          add("distribution", key("categorical"));
          add("probabilities", probabilities);
        } else {
          add("distribution", key("normal"));
          if (f.line != Line::Itself) add("of", key(f.line == Line::Log ? "log" : "logit"));
          add("mean", Value::real(f.mean));
          add("sd", Value::real(math::exp(f.log_sd)));
        }
        const Value address[2] = {name_of(runs_.addresses.place(k)), Value::integer(n)};
        variational_ = map_assoc(arena, variational_, make_vector(arena, address, 2), distribution);
      }
  }

  Value name_of(const DrawAddress& place) const {
    if (!place.id.is_nil()) return place.id;
    const Program& program = *setup_.image->program;
    const Site& site = program.site(place.site);
    const Position at = program.sources.position(site.span.file, site.span.begin);
    return Value::symbol(intern(fmt::format(
        "{}:{}:{}", site.function ? site.function->full : "query", at.line, at.column)));
  }

  std::uint64_t particles_;
  double step_size_;
  std::vector<std::vector<Factor>> factors_;  // by key and occurrence of the address
  Factor none_;  // for a distribution of another type: proposes nothing
  Value variational_ = Value::nil();
};

}  // namespace

EngineDef bbvb_engine() {
  return {"bbvb",
          "black-box variational Bayes: importance samples from learnt proposals",
          {integer_option("number-of-particles", 100, 1, "executions of a step of the gradient"),
           real_option("stepsize", 0.3, kAboveZero, 10, "of the natural gradient, to begin with")},
          [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
            return std::make_unique<Bbvb>(setup, read.integer("number-of-particles"),
                                          read.real("stepsize"));
          },
          EngineDef::Gives::Draws,
          true};
}

}  // namespace chancel
