// SPDX-License-Identifier: Apache-2.0
#include "infer/impossible_observe.hpp"

#include <fmt/format.h>

#include <cmath>

#include "infer/walker.hpp"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"
#include "value/print.hpp"

namespace chancel {

namespace {

constexpr std::uint32_t kObserveTries = 20;
constexpr std::uint64_t kExplainStream = 0x1f1;
constexpr std::size_t kShown = 60;  // characters of a value

// What a distribution scores, in words; empty where that is for its author to say.
std::string scored_by(const Dist* d) {
  switch (d->type->support) {
    case DistSupport::Real:
      return "numbers";
    case DistSupport::Positive:
      return "positive numbers";
    case DistSupport::NonNegative:
      return "numbers from 0";
    case DistSupport::UnitInterval:
      return "numbers from 0 to 1";
    case DistSupport::Interval:
      return "numbers between its bounds";
    case DistSupport::Integers:
      return "integers";
    case DistSupport::NonNegativeIntegers:
      return "integers from 0";
    case DistSupport::FiniteIntegers:
      return "integers between its bounds";
    case DistSupport::Booleans:
      return "true and false, or 1 and 0";
    case DistSupport::FiniteValues:
      return "the values that it lists";
    case DistSupport::Simplex:
      return "vectors of numbers that sum to 1";
    case DistSupport::RealVector:
      return d->value_count > 0 && d->values[0].is(Tag::Vector)
                 ? fmt::format("vectors of {} numbers", d->values[0].as<Vector>()->count)
                 : "vectors of numbers";
    case DistSupport::OrderedVector:
      return "increasing vectors of numbers";
    case DistSupport::PositiveDefiniteMatrix:
      return "symmetric positive definite matrices";
    case DistSupport::CorrelationMatrix:
      return "correlation matrices";
    case DistSupport::CorrelationCholesky:
      return "Cholesky factors of correlation matrices";
    case DistSupport::Point:
    case DistSupport::Other:
      return "";
  }
  return "";
}

bool is_finite_number(const Value& x) {
  return x.is(Tag::Int) || x.is(Tag::Ratio) || x.is(Tag::BigInt) ||
         (x.is(Tag::Double) && std::isfinite(x.d));
}

// Is x at least of the kind that the distribution scores? Then it is this one value that cannot be.
bool is_kin(const Dist* d, const Value& x) {
  switch (d->type->support) {
    case DistSupport::Real:
      return is_finite_number(x);
    case DistSupport::Integers:
      return x.is(Tag::Int);
    case DistSupport::Booleans:
      return x.is(Tag::Bool) || (x.is(Tag::Int) && (x.i == 0 || x.i == 1));
    default:
      return false;
  }
}

// "row 2 of y", when the value stands in a column of the query's argument.
std::string place_in_data(const RunSetup& setup, const Value& x) {
  if (!setup.argument.is(Tag::Vector)) return "";
  const auto* arguments = setup.argument.as<Vector>();
  for (std::uint32_t a = 0; a < arguments->count && a < setup.parameters.size(); ++a) {
    const Value column = vector_nth(arguments, a);
    if (!column.is(Tag::Vector)) continue;
    const auto* rows = column.as<Vector>();
    for (std::uint32_t r = 0; r < rows->count; ++r) {
      const Value row = vector_nth(rows, r);
      const bool nan = x.is(Tag::Double) && std::isnan(x.d) && row.is(Tag::Double);
      if (nan ? std::isnan(row.d) : row.tag == x.tag && equal(row, x))
        return fmt::format("row {} of {}", r + 1, setup.parameters[a]);
    }
  }
  return "";
}

// *foreign: the distribution scores no such value, whatever its parameters are.
std::string reason(const RunSetup& setup, const Checkpoint& stop, bool* foreign) {
  *foreign = false;
  const std::string value = show(stop.value, true, kShown);
  if (!stop.dist.is(Tag::Dist))
    return fmt::format("{} gives {} probability zero", show(stop.dist, true, kShown), value);
  const auto* d = stop.dist.as<Dist>();
  const std::string scored = scored_by(d);
  if (scored.empty() || is_kin(d, stop.value))
    return fmt::format("{} gives {} probability zero", show(stop.dist, true, kShown), value);
  *foreign = true;
  std::string out = fmt::format("{} scores {}, got {}", d->type->name, scored, value);
  if (is_finite_number(stop.value)) return out;
  if (const std::string place = place_in_data(setup, stop.value); !place.empty())
    out += stop.value.is_nil() ? fmt::format(": {} is empty", place) : fmt::format(": {}", place);
  return out;
}

}  // namespace

namespace {

struct Explanation {
  Span span;
  std::string why;
  bool foreign = false;                              // no draw changes it
  bool missing = false;                              // an empty cell
  std::optional<Diagnostic> failure = std::nullopt;  // of a function that got the empty cell
  const char* remedy() const {
    return missing ? "leave missing values out: (when (some? y) (observe ... y))"
                   : "no draw changes this: observe a value of that kind";
  }
};

constexpr std::uint64_t kAnyWork = ~std::uint64_t{0};

// "row 2 of y is empty", where the function that failed was given nil and the data have an empty cell.
std::string empty_cell(const RunSetup& setup, const Diagnostic& failure) {
  if (failure.code != Code::R001 || !failure.message.ends_with(", got nil")) return "";
  const std::string place = place_in_data(setup, Value::nil());
  return place.empty() ? "" : place + " is empty";
}

// Nothing unless all executions end at one observe, within `most` calls. `missing`: looks for an empty cell only.
// (Bounds may depend on draws.)
std::optional<Explanation> explain(const RunSetup& setup, bool missing, std::uint64_t most) {
  WorkerPool workers(setup, nullptr, setup.max_memory);
  Executor& machine = workers.machine();
  const StreamName name = setup.name.child(kExplainStream, 0);
  Explanation found;
  std::uint32_t site = 0;
  for (std::uint32_t i = 0; i < kObserveTries; ++i) {
    Walker walker(machine);
    walker.begin(setup);
    machine.stream.reset(name, i, 0);
    machine.wants = {most != kAnyWork, false};
    if (stop_requested(setup.run)) return std::nullopt;
    const Stop end = walker.run(
        [most](Walker& w, Value* value) { return w.at.applications <= most && w.draw(value); },
        pass);
    if (missing && end == Stop::Failed && (i == 0 || found.failure)) {
      const std::string cell = empty_cell(setup, machine.failure());
      if (cell.empty()) return std::nullopt;
      if (i == 0) {
        found.failure = machine.failure();
        found.failure->hint = cell + "; leave missing values out: (when (some? y) ...)";
      }
      workers.collect_if_due();
      continue;
    }
    if (found.failure || end != Stop::Impossible || (i > 0 && walker.stop.site != site))
      return std::nullopt;
    bool now = false;
    const std::string text = reason(setup, walker.stop, &now);
    if (i == 0) {
      site = walker.stop.site;
      found.why = text;
      found.foreign = now;
      found.missing = walker.stop.value.is_nil();
    }
    found.foreign =
        found.foreign && now && text == found.why;  // else draws decide what is observed
    if (missing && !(found.foreign && found.missing)) return std::nullopt;
    workers.collect_if_due();
  }
  if (!found.failure) found.span = setup.image->program->site(site).span;
  return found;
}

}  // namespace

void explain_impossible(const RunSetup& setup, Diagnostic* diagnostic) {
  const std::optional<Explanation> found = explain(setup, false, kAnyWork);
  if (!found) return;
  diagnostic->span = found->span;
  diagnostic->message += ": all end at this observe, where " + found->why;
  if (found->foreign) diagnostic->hint = found->remedy();
}

std::optional<Diagnostic> find_missing_value(const RunSetup& setup, std::uint64_t most) {
  const std::optional<Explanation> found = explain(setup, true, most);
  if (!found) return std::nullopt;
  if (found->failure) return found->failure;
  return Diagnostic{
      Code::I003,
      Severity::Error,
      found->span,
      "no execution satisfies the observations: all end at this observe, where " + found->why,
      found->remedy(),
      {}};
}

}  // namespace chancel
