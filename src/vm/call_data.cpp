// SPDX-License-Identifier: Apache-2.0
// Things that are not functions but can be called: keywords, symbols, maps, sets, vectors,
// exchangeable procedures.
#include <vector>

#include "diag/diagnostic.hpp"
#include "fmt/format.h"
#include "value/argument_names.hpp"
#include "value/big_integer.hpp"
#include "value/collections.hpp"
#include "value/lookup.hpp"
#include "value/print.hpp"
#include "value/record.hpp"
#include "value/symbolic_hook.hpp"
#include "vm/frame.hpp"
#include "vm/machine_parts.hpp"

namespace chancel {

namespace {
Value look(NativeContext& cx, const Value& coll, const Value& key, const Value* args,
           std::uint32_t count) {
  Value found;
  if (lookup(cx, coll, key, &found)) return found;
  return count == 2 ? args[1] : Value::nil();
}
}  // namespace

Value call_data(NativeContext& cx, const Value& f, const Value* args, std::uint32_t count) {
  switch (f.tag) {
    case Tag::Keyword:
    case Tag::Symbol:
      if (count != 1 && count != 2) break;
      return look(cx, args[0], f, args, count);
    case Tag::ArrayMap:
    case Tag::HashMap:
    case Tag::SortedMap:
    case Tag::Set:
    case Tag::SortedSet:
    case Tag::Record:
      if (count != 1 && count != 2) break;
      return look(cx, f, args[0], args, count);
    case Tag::Vector: {
      if (count != 1) break;
      const auto index = is_integer(args[0]) ? small_integer(args[0]) : std::nullopt;
      if (!index) return cx.wrong_type("vector", 0, "an integer index", args[0]);
      const auto* v = f.as<Vector>();
      if (static_cast<std::uint64_t>(*index) >= v->count)
        return cx.fail(Code::R004,
                       fmt::format("index {} is out of range for a vector of {}", *index, v->count),
                       0);
      return vector_nth(v, static_cast<std::uint32_t>(*index));
    }
    default:
      return cx.fail(Code::R003, fmt::format("{} cannot be called as a function", describe(f)), -1,
                     f.is(Tag::Dist) ? "distributions are sampled: (sample dist)"
                     : f.is_number()
                         ? "functions stand before their arguments: (> x 1), not (x > 1)"
                         : "");
  }
  cx.failure = arity_failure(f, count);
  cx.status = NativeContext::Status::Failed;
  return Value::nil();
}

Applied apply_other(NativeContext& cx, Value* w, const Value& list, Value* out, std::uint32_t* n) {
  std::vector<Value> items;
  for (SeqCursor it(cx, list, "apply", 1); it.next();) push_within_limits(cx, items, it.item());
  if (!cx.ok()) return Applied::Status;
  *n = static_cast<std::uint32_t>(items.size());
  if (w->is(Tag::Native) && w->native) {
    const NativeDef* def = w->native;
    if (static_cast<int>(*n) < def->min_args ||
        (def->max_args >= 0 && static_cast<int>(*n) > def->max_args))
      return Applied::Arity;
    cx.callee = def;
    *out = cx.symbolic ? cx.symbolic->call(cx, def, items.data(), *n)
                       : def->function(cx, items.data(), *n);
    return cx.ok() ? Applied::Value : Applied::Status;
  }
  if (items.size() > kMostSpread) {
    cx.fail(Code::R009,
            fmt::format("apply: {} arguments are too many for this function", items.size()), 1);
    return Applied::Status;
  }
  for (std::size_t k = 0; k < items.size(); ++k) w[1 + k] = items[k];
  return Applied::Spread;
}

NativeFailure arity_failure(const Value& f, std::uint32_t count) {
  std::string name = "this function";
  std::string takes, names;
  if (f.is(Tag::Native)) {
    name = f.native->name;
    const int lo = f.native->min_args, hi = f.native->max_args;
    takes = hi < 0     ? fmt::format("at least {}", lo)
            : lo == hi ? fmt::format("{}", lo)
                       : fmt::format("{} to {}", lo, hi);
    if (f.native->signature) names = argument_names(f.native->signature);
  } else if (f.is(Tag::Closure)) {
    const FunctionProto* p = proto_of(f.as<Closure>());
    if (p->name) name = p->name->full;
    for (const auto& code : p->arities) {
      if (!takes.empty()) takes += " or ";
      takes += code->variadic ? fmt::format("at least {}", code->params)
                              : fmt::format("{}", code->params);
    }
  } else {
    name = describe(f);
    takes = "1 or 2";
  }
  return {Code::R002,
          fmt::format("{}: takes {} argument{}{}, got {}", name, takes, takes == "1" ? "" : "s",
                      names, count),
          "", -1, Value::nil()};
}

bool takes_continuation(const Value* w, std::uint32_t count) {
  if (!w[0].is(Tag::Closure) || count < 2) return false;
  const FunctionProto* const function = proto_of(w[0].as<Closure>());
  const CodeBlock* const found = function->is_anglican ? function->find(count - 2) : nullptr;
  return found && !found->variadic &&
         (w[1].is(Tag::Closure) || w[1].is(Tag::Native) || w[1].is(Tag::Memo));
}

bool is_record_dist(const Value& v) {
  return v.is(Tag::Record) && v.as<Record>()->type->kind == RecordKind::Distribution;
}

const Value* find_method(const Value* globals, const Value& record, const char* name) {
  const auto& methods = record.as<Record>()->type->methods;
  const auto it = methods.find(intern(name));
  return it == methods.end() ? nullptr : globals + it->second;
}

const Value* callable_field(const Value& record) {
  const auto* r = record.as<Record>();
  static const Name* const procedure = intern("%procedure");
  return r->type->name == procedure ? &r->fields[0] : nullptr;
}

}  // namespace chancel
