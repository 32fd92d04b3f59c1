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

// Is it so of the value, or of an item of a vector or matrix? (Others have no distribution.)
template <class F>
bool has_item(const Value& x, const F& is_so, int depth = 2) {
  if (!x.is(Tag::Vector) || depth == 0) return is_so(x);
  const auto* items = x.as<Vector>();
  for (std::uint32_t i = 0; i < items->count; ++i)
    if (has_item(vector_nth(items, i), is_so, depth - 1)) return true;
  return false;
}

// A value of a type that no distribution of this family scores, whatever its parameters are.
bool never_scored(const Dist* d, const Value& x) {
  if (x.is_nil()) return true;
  switch (d->type->support) {
    case DistSupport::Real:
    case DistSupport::Positive:
    case DistSupport::NonNegative:
    case DistSupport::UnitInterval:
    case DistSupport::Interval:
    case DistSupport::Integers:
    case DistSupport::NonNegativeIntegers:
      return x.is(Tag::Double) ? std::isnan(x.d) : !is_finite_number(x) && !x.is(Tag::Bool);
    case DistSupport::Simplex:
    case DistSupport::RealVector:
    case DistSupport::OrderedVector:
    case DistSupport::PositiveDefiniteMatrix:
    case DistSupport::CorrelationMatrix:
    case DistSupport::CorrelationCholesky:
      return x.is(Tag::Vector) &&
             has_item(x, [](const Value& item) { return !is_finite_number(item); });
    default:
      return false;
  }
}

// *foreign: the distribution scores no such value, whatever its parameters are.
std::string reason(const Checkpoint& stop, bool* foreign) {
  *foreign = false;
  const std::string value = show(stop.value, true, kShown);
  if (!stop.dist.is(Tag::Dist))
    return fmt::format("{} gives {} probability zero", show(stop.dist, true, kShown), value);
  const auto* d = stop.dist.as<Dist>();
  const std::string scored = scored_by(d);
  if (scored.empty() || is_kin(d, stop.value))
    return fmt::format("{} gives {} probability zero", show(stop.dist, true, kShown), value);
  *foreign = true;
  return fmt::format("{} scores {}, got {}", d->type->name, scored, value);
}

constexpr std::uint64_t kAnyWork = ~std::uint64_t{0};

// Executions from the prior, each in a heap of its own, up to `most` calls.
class PriorExecution {
 public:
  PriorExecution(const RunSetup& setup, std::uint32_t number, std::uint64_t most)
      : workers_(setup, nullptr, setup.max_memory), walker_(workers_.machine()), most_(most) {
    machine().stream.reset(setup.name.child(kExplainStream, 0), number, 0);
    machine().wants = {most != kAnyWork, false};
  }
  Executor& machine() { return workers_.machine(); }
  const Checkpoint& stop() const { return walker_.stop; }
  Stop run() {
    return run([](const Walker&) { return true; });
  }
  // `observer` sees the observes, where machine().wants asks for them.
  template <class Observer>
  Stop run(Observer&& observer) {
    walker_.begin(workers_.setup());
    walker_.collecting();
    return walker_.run(
        [this](Walker& w, Value* value) { return w.at.applications <= most_ && w.draw(value); },
        observer);
  }

 private:
  WorkerPool workers_;
  Walker walker_;
  std::uint64_t most_;
};

// Where and why all executions end.
struct Explanation {
  Span span;
  std::string why;
  std::string place = {};  // ": row 2 of y is empty"
  std::uint32_t site = 0;
  Value value = Value::nil();                        // in the heap of the first execution
  bool foreign = false;                              // no draw changes it
  bool wrong_type = false;                           // nor do the parameters of the distribution
  std::optional<Diagnostic> failure = std::nullopt;  // of a function instead of an observe
  enum class Missing : std::uint8_t { No, Value, Item } missing = Missing::No;
  const char* remedy() const {
    switch (missing) {
      case Missing::Value:
        return "leave missing values out: (when (some? y) (observe ... y))";
      case Missing::Item:
        return "leave rows with missing values out: (when (every? some? y) (observe ... y))";
      case Missing::No:
        break;
    }
    return "no draw changes this: observe a value of that kind";
  }
};

// The types of the arguments are to blame, not the values: more work does not help.
bool is_type_failure(const Diagnostic& d) { return d.code == Code::R001 || d.code == Code::D002; }

// Which cell of the query's arguments is to blame. Cells that look alike (all the empty ones) are told apart by
// executions in which some of them are filled.
class BlamedCell {
 public:
  BlamedCell(const RunSetup& setup, const Explanation& found, std::uint64_t most)
      : setup_(setup), found_(found), most_(most) {}

  // "row 2 of y", or "".
  std::string place() {
    if (!setup_.argument.is(Tag::Vector) || setup_.plain_query.is_nil()) return "";
    for_columns([&](std::uint32_t a, const Vector* rows) {
      for (std::uint32_t r = 0; r < rows->count; ++r)
        if (is_suspect(vector_nth(rows, r))) cells_.push_back({a, r});
    });
    if (cells_.empty() || ends_the_same(0, 0)) return "";
    std::size_t begin = 0, end = cells_.size();
    while (end - begin > 1) {
      const std::size_t middle = begin + (end - begin) / 2;
      (ends_the_same(begin, middle) ? end : begin) = middle;
    }
    if (!ends_the_same(begin, end)) return "";
    return fmt::format("row {} of {}", cells_[begin].row + 1,
                       setup_.parameters[cells_[begin].column]);
  }

 private:
  struct Cell {
    std::uint32_t column, row;
  };

  template <class F>
  void for_columns(F&& f) const {
    const auto* arguments = setup_.argument.as<Vector>();
    for (std::uint32_t a = 0; a < arguments->count && a < setup_.parameters.size(); ++a)
      if (const Value column = vector_nth(arguments, a); column.is(Tag::Vector))
        f(a, column.as<Vector>());
  }

  static bool same(const Value& a, const Value& b) {
    const bool nan = a.is(Tag::Double) && std::isnan(a.d) && b.is(Tag::Double);
    return nan ? std::isnan(b.d) : a.tag == b.tag && equal(a, b);
  }
  // The value itself, or what makes a vector one that is not scored.
  bool is_suspect(const Value& cell) const {
    if (same(found_.value, cell)) return true;  // (a failure: nil)
    if (found_.failure || !found_.value.is(Tag::Vector)) return false;
    const auto* items = found_.value.as<Vector>();
    for (std::uint32_t i = 0; i < items->count; ++i) {
      const Value item = vector_nth(items, i);
      if (!is_finite_number(item) && same(item, cell)) return true;
    }
    return false;
  }

  // Of the suspects, these only are left as they are.
  bool ends_the_same(std::size_t begin, std::size_t end) const {
    if (stop_requested(setup_.run)) return false;
    Heap heap;
    Arena arena(heap);
    std::vector<Value> columns;
    const auto* arguments = setup_.argument.as<Vector>();
    for (std::uint32_t a = 0; a < arguments->count; ++a)
      columns.push_back(vector_nth(arguments, a));
    for_columns([&](std::uint32_t a, const Vector* rows) {
      std::vector<Value> items;
      for (std::uint32_t r = 0; r < rows->count; ++r) items.push_back(vector_nth(rows, r));
      for (std::size_t i = 0; i < cells_.size(); ++i)
        if (cells_[i].column == a && (i < begin || i >= end))
          items[cells_[i].row] = Value::integer(1);
      columns[a] = make_vector(arena, items.data(), items.size());
    });
    RunSetup filled = setup_;
    filled.query = setup_.plain_query;
    filled.argument = make_vector(arena, columns.data(), columns.size());
    PriorExecution execution(filled, 0, most_);
    const Stop kind = execution.run();
    if (found_.failure)
      return kind == Stop::Failed && execution.machine().failure().code == found_.failure->code &&
             execution.machine().failure().span == found_.failure->span;
    bool foreign = false;
    const Program& program = *setup_.image->program;  // the query may be other code here
    if (kind == Stop::Impossible && program.site(execution.stop().site).span == found_.span)
      return reason(execution.stop(), &foreign) == found_.why;
    return false;
  }

  const RunSetup& setup_;
  const Explanation& found_;
  const std::uint64_t most_;
  std::vector<Cell> cells_;
};

// "the 5th value that is observed here", where one execution observes several.
std::string number_observed(const RunSetup& setup, std::uint32_t site, std::uint64_t most) {
  PriorExecution execution(setup, 0, most);
  execution.machine().wants.observes = true;
  std::uint64_t count = 0;
  execution.run([&](const Walker& w) {
    count += w.stop.site == site;
    return w.stop.log_prob > kLogZero;
  });
  if (count < 2) return "";
  const std::uint64_t last = count % 10, tens = count / 10 % 10;
  const char* ending = tens == 1   ? "th"
                       : last == 1 ? "st"
                       : last == 2 ? "nd"
                       : last == 3 ? "rd"
                                   : "th";
  return fmt::format("the {}{} value that is observed here", count, ending);
}

// Adds which cell of the data it is.
void add_place(const RunSetup& setup, std::uint64_t most, Explanation* found) {
  const bool of_nil = found->failure ? found->failure->message.ends_with(" nil")
                                     : found->missing != Explanation::Missing::No;
  if (found->failure && !of_nil) return;
  const std::string cell = BlamedCell(setup, *found, most).place();
  const std::string missing = cell.empty() || !of_nil ? cell : cell + " is empty";
  if (found->failure) {
    if (!cell.empty())
      found->failure->hint = missing + "; leave missing values out: (when (some? y) ...)";
    return;
  }
  const std::string place = missing.empty() ? number_observed(setup, found->site, most) : missing;
  if (!place.empty()) found->place = ": " + place;
}

// Nothing unless all executions end at one observe or failure, within `most` calls. `wrong_type`: looks only for what no
// draw and no parameter changes. (Bounds may depend on draws.)
std::optional<Explanation> explain(const RunSetup& setup, bool wrong_type, std::uint64_t most) {
  Explanation found;
  PriorExecution first(setup, 0, most);
  for (std::uint32_t i = 0; i < kObserveTries; ++i) {
    std::optional<PriorExecution> later;
    PriorExecution& execution = i == 0 ? first : later.emplace(setup, i, most);
    if (stop_requested(setup.run)) return std::nullopt;
    const Stop end = execution.run();
    if (end == Stop::Failed && (i == 0 || found.failure)) {
      const Diagnostic& why = execution.machine().failure();
      if (!is_type_failure(why) || (i > 0 && why.message != found.failure->message))
        return std::nullopt;
      if (i == 0) found.failure = why;
      continue;
    }
    const Checkpoint& stop = execution.stop();
    if (found.failure || end != Stop::Impossible || (i > 0 && stop.site != found.site))
      return std::nullopt;
    bool now = false;
    const std::string text = reason(stop, &now);
    if (i == 0) {
      found.site = stop.site;
      found.why = text;
      found.value = stop.value;
      found.foreign = now;
      if (has_item(stop.value, [](const Value& item) { return item.is_nil(); }))
        found.missing =
            stop.value.is_nil() ? Explanation::Missing::Value : Explanation::Missing::Item;
      found.wrong_type = now && never_scored(stop.dist.as<Dist>(), stop.value);
    }
    found.foreign =
        found.foreign && now && text == found.why;  // else draws decide what is observed
    if (wrong_type && !(found.foreign && found.wrong_type)) return std::nullopt;
  }
  if (!found.failure) found.span = setup.image->program->site(found.site).span;
  if (found.failure || (found.foreign && !is_finite_number(found.value)))
    add_place(setup, most, &found);
  found.value = Value::nil();  // its heap ends here
  return found;
}

}  // namespace

void explain_impossible(const RunSetup& setup, Diagnostic* diagnostic) {
  const std::optional<Explanation> found = explain(setup, false, kAnyWork);
  if (!found) return;
  if (found->failure) {
    *diagnostic = *found->failure;
    return;
  }
  diagnostic->span = found->span;
  diagnostic->message += ": all end at this observe, where " + found->why + found->place;
  if (found->foreign) diagnostic->hint = found->remedy();
}

std::optional<Diagnostic> find_type_mismatch(const RunSetup& setup, std::uint64_t most) {
  const std::optional<Explanation> found = explain(setup, true, most);
  if (!found) return std::nullopt;
  if (found->failure) return found->failure;
  return Diagnostic{Code::I003,
                    Severity::Error,
                    found->span,
                    "no execution satisfies the observations: all end at this observe, where " +
                        found->why + found->place,
                    found->remedy(),
                    {}};
}

}  // namespace chancel
