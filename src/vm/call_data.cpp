// SPDX-License-Identifier: Apache-2.0
// Things that are not functions but can be called: keywords, symbols, maps, sets, vectors, exchangeable procedures.
#include "fmt/format.h"
#include "diag/diagnostic.hpp"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/print.hpp"
#include "value/record.hpp"
#include "vm/lookup.hpp"
#include "vm/machine_parts.hpp"

namespace chancel {

Value lookup(const Value& coll, const Value& key, const Value& missing) {
  switch (coll.tag) {
    case Tag::ArrayMap:
    case Tag::HashMap:
    case Tag::SortedMap: {
      const Value* found = map_find(coll, key);
      return found ? *found : missing;
    }
    case Tag::Set:
    case Tag::SortedSet: return set_contains(coll, key) ? key : missing;
    case Tag::Vector:
      if (key.is(Tag::Int) && static_cast<std::uint64_t>(key.i) < coll.as<Vector>()->count)
        return vector_nth(coll.as<Vector>(), static_cast<std::uint32_t>(key.i));
      return missing;
    case Tag::Record:
      if (key.is(Tag::Keyword)) {
        const auto* r = coll.as<Record>();
        const int index = r->type->field_index(key.name);
        if (index >= 0) return r->fields[index];
      }
      return missing;
    case Tag::Dist:
      if (key.is(Tag::Keyword)) {
        const auto* d = coll.as<Dist>();
        for (std::uint32_t i = 0; i < d->type->parameter_count && i < d->value_count; ++i)
          if (key.name->full == d->type->parameter_names[i]) return d->values[i];
      }
      return missing;
    case Tag::Process:
      if (key.is(Tag::Keyword)) {
        const auto* p = coll.as<Process>();
        for (std::uint32_t i = 0; i < p->type->parameter_count && i < p->value_count; ++i)
          if (key.name->full == p->type->parameter_names[i]) return p->values[i];
      }
      return missing;
    case Tag::Exception:
      if (key.is(Tag::Keyword)) {
        const auto* e = coll.as<Exception>();
        if (key.name->full == "message") return e->message;
        if (key.name->full == "data") return e->data;
      }
      return missing;
    default: return missing;
  }
}

Value call_data(NativeContext& cx, const Value& f, const Value* args, std::uint32_t count) {
  switch (f.tag) {
    case Tag::Keyword:
    case Tag::Symbol:
      if (count != 1 && count != 2) break;
      return lookup(args[0], f, count == 2 ? args[1] : Value::nil());
    case Tag::ArrayMap:
    case Tag::HashMap:
    case Tag::SortedMap:
    case Tag::Set:
    case Tag::SortedSet:
    case Tag::Record:
      if (count != 1 && count != 2) break;
      return lookup(f, args[0], count == 2 ? args[1] : Value::nil());
    case Tag::Vector: {
      if (count != 1) break;
      if (!args[0].is(Tag::Int)) return cx.wrong_type("vector", 0, "an integer index", args[0]);
      const auto* v = f.as<Vector>();
      if (static_cast<std::uint64_t>(args[0].i) >= v->count)
        return cx.fail(Code::R004, fmt::format("index {} is out of range for a vector of {}", args[0].i, v->count), 0);
      return vector_nth(v, static_cast<std::uint32_t>(args[0].i));
    }
    default:
      return cx.fail(Code::R003, fmt::format("{} cannot be called as a function", describe(f)), -1,
                     f.is(Tag::Dist) ? "distributions are sampled: (sample dist)" : "");
  }
  cx.failure = arity_failure(f, count);
  cx.status = NativeContext::Status::Failed;
  return Value::nil();
}

NativeFailure arity_failure(const Value& f, std::uint32_t count) {
  std::string name = "this function";
  std::string takes;
  if (f.is(Tag::Native)) {
    name = f.native->name;
    const int lo = f.native->min_args, hi = f.native->max_args;
    takes = hi < 0 ? fmt::format("at least {}", lo) : lo == hi ? fmt::format("{}", lo) : fmt::format("{} to {}", lo, hi);
  } else if (f.is(Tag::Closure)) {
    const FunctionProto* p = f.as<Closure>()->proto;
    if (p->name) name = p->name->full;
    for (const auto& code : p->arities) {
      if (!takes.empty()) takes += " or ";
      takes += code->variadic ? fmt::format("at least {}", code->params) : fmt::format("{}", code->params);
    }
  } else {
    name = describe(f);
    takes = "1 or 2";
  }
  return {Code::R002,
          fmt::format("{}: takes {} argument{}, got {}", name, takes, takes == "1" ? "" : "s", count), "", -1,
          Value::nil()};
}

bool is_record_dist(const Value& v) {
  return v.is(Tag::Record) && v.as<Record>()->type->kind == RecordKind::Distribution;
}

const Value* callable_field(const Value& record) {
  const auto* r = record.as<Record>();
  static const Name* const procedure = intern("%procedure");
  return r->type->name == procedure ? &r->fields[0] : nullptr;
}

}  // namespace chancel
