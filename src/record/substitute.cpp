// SPDX-License-Identifier: Apache-2.0
// See substitute.hpp.
#include "record/substitute.hpp"

#include <bit>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "bytecode/code.hpp"
#include "value/collections.hpp"
#include "value/metadata.hpp"
#include "value/record.hpp"
#include "value/seq_walk.hpp"
#include "value/shared_walk.hpp"

namespace chancel {

namespace {

const DistType kNodeDist = [] {
  DistType t{};
  t.name = "recorded distribution";
  t.support = DistSupport::Other;
  t.doc = "A distribution whose parameters depend on draws, while the program is recorded.";
  return t;
}();

std::size_t captured_count(const Closure* c) { return proto_of(c)->captures.size(); }

// Calls f(part) for every value that this object holds.
template <class F>
void each_part(NativeContext& cx, const Value& v, F&& f) {
  switch (v.tag) {
    case Tag::Vector: {
      const auto* vector = v.as<Vector>();
      for (std::uint32_t i = 0; i < vector->count; ++i) f(vector_nth(vector, i));
      break;
    }
    case Tag::VectorSeq:
      f(Value::object(v.as<VectorSeq>()->vector));
      break;
    case Tag::Cons:
      f(v.as<Cons>()->first);
      if (v.as<Cons>()->rest) f(Value::object(v.as<Cons>()->rest));
      break;
    case Tag::LazySeq: {
      Value value;
      if (lazy_value(cx, v.as<LazySeq>(), &value))
        f(value);
      else if (value.as<LazySeq>()->value.is_object())
        f(value.as<LazySeq>()->value);
      break;
    }
    case Tag::ArrayMap:
    case Tag::HashMap:
    case Tag::SortedMap:
    case Tag::Record:
      map_each(v, [&](const Value&, const Value& value) { f(value); });  // keys hold none
      break;
    case Tag::Dist:
      for (std::uint32_t i = 0; i < v.as<Dist>()->value_count; ++i) f(v.as<Dist>()->values[i]);
      break;
    case Tag::Process:
      for (std::uint32_t i = 0; i < v.as<Process>()->value_count; ++i)
        f(v.as<Process>()->values[i]);
      break;
    case Tag::Closure:
      for (std::size_t i = 0; i < captured_count(v.as<Closure>()); ++i)
        f(v.as<Closure>()->captured[i]);
      break;
    case Tag::Query:
      f(v.as<Query>()->body);
      break;
    case Tag::Memo:
      f(v.as<Memo>()->function);
      break;
    case Tag::Exception:
      f(v.as<Exception>()->data);
      break;
    case Tag::Reduced:
      f(v.as<Reduced>()->value);
      break;
    default:
      break;
  }
}

class Substitution {
 public:
  Substitution(NativeContext& cx, const ValueOf& value, Substituted* known)
      : cx_(cx), value_(value), known_(known) {}

  // Parts before what holds them, so that no depth of nesting makes anything recurse.
  Value run(const Value& v) {
    const std::vector<Value> order = parts_first(v);
    for (bool more = true; more;) {  // again where functions refer to each other
      more = false;
      for (const Value& at : order) {
        bool holds = false;
        each_part(cx_, at, [&](const Value& part) { holds = holds || changes(part); });
        if ((holds || changes(meta_of(at))) && changing_.insert(at.o).second) more = refers_back_;
      }
    }
    for (const Value& at : order)
      if (at.is(Tag::Closure) && changing_.contains(at.o)) done_[at.o] = empty_copy(at);
    for (const Value& at : order) {
      if (!changing_.contains(at.o)) continue;
      Value copy = copy_of(at);
      if (has_meta(at)) copy = with_meta(*cx_.arena, copy, of(meta_of(at)));
      done_[at.o] = copy;
    }
    return of(v);
  }
  // Nothing that may change has been left out.
  void remember() {
    if (known_ && !waiting_) known_->insert(done_.begin(), done_.end());
  }

 private:
  Value of(const Value& v) const {
    if (v.is(Tag::Node)) return value_(static_cast<NodeIndex>(v.bits));
    if (!v.is_object()) return v;
    if (const auto at = done_.find(v.o); at != done_.end()) return at->second;
    if (known_)
      if (const auto at = known_->find(v.o); at != known_->end()) return at->second;
    return v;
  }
  bool changes(const Value& v) const {
    return v.is(Tag::Node) ||
           (v.is_object() && (changing_.contains(v.o) || (known_ && known_->contains(v.o))));
  }
  std::vector<Value> parts_first(const Value& v) {
    std::vector<Value> order;
    std::vector<std::pair<Value, bool>> open{{v, false}};
    std::unordered_map<const Object*, bool> met;  // true: all its parts have been
    while (!open.empty()) {
      const auto [at, parts_done] = open.back();
      open.pop_back();
      if (parts_done) {
        order.push_back(at);
        met[at.o] = true;
        continue;
      }
      if (known_ && known_->contains(at.o)) continue;
      const auto [place, is_new] = met.try_emplace(at.o, false);
      if (!is_new) {
        refers_back_ = refers_back_ || !place->second;
        continue;
      }
      cx_.tick();
      open.emplace_back(at, true);
      const auto look = [&](const Value& part) {
        if (part.is_object()) open.emplace_back(part, false);
      };
      each_part(cx_, at, look);
      look(meta_of(at));
    }
    return order;
  }
  Value empty_copy(const Value& closure) {
    const auto* from = closure.as<Closure>();
    const std::size_t count = captured_count(from);
    auto* to = cx_.arena->make<Closure>(Tag::Closure, bytes_with<Closure>(count));
    to->function = from->function;
    to->aux = from->aux;
    for (std::size_t i = 0; i < count; ++i) to->captured[i] = from->captured[i];
    return Value::object(to);
  }
  Value copy_of(const Value& v) {
    Arena& arena = *cx_.arena;
    switch (v.tag) {
      case Tag::Vector: {
        const auto* vector = v.as<Vector>();
        std::vector<Value> list;
        for (std::uint32_t i = 0; i < vector->count; ++i) list.push_back(of(vector_nth(vector, i)));
        return make_vector(arena, list.data(), list.size());
      }
      case Tag::VectorSeq:
        return make_vector_seq(arena, of(Value::object(v.as<VectorSeq>()->vector)),
                               v.as<VectorSeq>()->index);
      case Tag::Cons: {
        const auto* cell = v.as<Cons>();
        return cons(arena, of(cell->first),
                    cell->rest ? of(Value::object(cell->rest)) : Value::nil());
      }
      case Tag::LazySeq: {
        Value value;
        if (!lazy_value(cx_, v.as<LazySeq>(), &value)) {
          waiting_ = true;
          return v;
        }
        auto* to = arena.make<LazySeq>(Tag::LazySeq);
        to->state = LazySeq::kRealised;
        to->id = 0;
        to->value = of(value);
        return Value::object(to);
      }
      case Tag::ArrayMap:
      case Tag::HashMap:
      case Tag::SortedMap: {
        Value result = v;
        map_each(v, [&](const Value& key, const Value& value) {
          if (may_hold(value)) result = map_assoc(arena, result, key, of(value));
        });
        return result;
      }
      case Tag::Record: {
        const auto* from = v.as<Record>();
        const std::size_t bytes = size_of(from) - (has_meta(v) ? sizeof(Value) : 0);
        auto* to = arena.make<Record>(Tag::Record, bytes);
        const std::size_t count = (bytes - (sizeof(Record) - sizeof(Value))) / sizeof(Value);
        to->type = from->type;
        for (std::size_t i = 0; i < count; ++i) to->fields[i] = of(from->fields[i]);
        return Value::object(to);
      }
      case Tag::Dist: {
        const auto* d = v.as<Dist>();
        const DistType* type = node_dist_type(d);
        if (!type) return v;
        std::vector<Value> args;
        for (std::uint32_t i = 0; i < d->value_count; ++i) args.push_back(of(d->values[i]));
        return type->construct(cx_, args.data(), d->value_count);
      }
      case Tag::Closure: {
        const Value copy = done_[v.o];
        for (std::size_t i = 0; i < captured_count(v.as<Closure>()); ++i)
          copy.as<Closure>()->captured[i] = of(v.as<Closure>()->captured[i]);
        return copy;
      }
      case Tag::Query: {
        auto* to = arena.make<Query>(Tag::Query);
        to->function = v.as<Query>()->function;
        to->aux = v.as<Query>()->aux;
        to->body = of(v.as<Query>()->body);
        return Value::object(to);
      }
      case Tag::Exception: {
        const auto* from = v.as<Exception>();
        const Value data = of(from->data);
        auto* to = arena.make<Exception>(Tag::Exception);
        to->code = from->code;
        to->type = from->type;
        to->file = from->file;
        to->begin = from->begin;
        to->end = from->end;
        to->message = from->message;
        to->data = data;
        to->cause = from->cause;
        return Value::object(to);
      }
      case Tag::Reduced: {
        auto* to = arena.make<Reduced>(Tag::Reduced);
        to->value = of(v.as<Reduced>()->value);
        return Value::object(to);
      }
      default:
        return v;
    }
  }
  static bool may_hold(const Value& v) { return v.is(Tag::Node) || v.is_object(); }

  NativeContext& cx_;
  const ValueOf& value_;
  Substituted* known_;
  Substituted done_;
  std::unordered_set<const Object*> changing_;  // hold nodes
  bool refers_back_ = false;                    // something holds what holds it
  bool waiting_ = false;                        // for a lazy part
};

}  // namespace

namespace {
// Calls f(part) for all values that this one holds, at any depth, until it gives false.
template <class F>
void each_part_deep(NativeContext& cx, const Value& v, F&& f) {
  std::vector<Value> open{v};
  std::unordered_set<const Object*> visited;  // functions may refer to themselves
  bool more = true;
  while (!open.empty() && more) {
    const Value at = open.back();
    open.pop_back();
    if (!visited.insert(at.o).second) continue;
    cx.tick();
    const auto look = [&](const Value& part) {
      more = more && f(part);
      if (part.is_object()) open.push_back(part);
    };
    each_part(cx, at, look);
    look(meta_of(at));
  }
}
}  // namespace

bool holds_nodes(NativeContext& cx, const Value& v) {
  bool found = v.is(Tag::Node);
  if (v.is_object())
    each_part_deep(cx, v, [&](const Value& part) { return !(found = part.is(Tag::Node)); });
  return found;
}

void each_value(NativeContext& cx, const Value& v, const std::function<void(const Value&)>& look) {
  look(v);
  if (v.is_object()) each_part_deep(cx, v, [&](const Value& part) { return look(part), true; });
}

void each_node(NativeContext& cx, const Value& v, const std::function<void(NodeIndex)>& look) {
  each_value(cx, v, [&](const Value& part) {
    if (part.is(Tag::Node)) look(static_cast<NodeIndex>(part.bits));
  });
}

bool holds_functions_of_nodes(NativeContext& cx, const Value& v) {
  bool found = false;
  const auto look = [&](const Value& part) {
    found = found || ((part.is(Tag::Closure) || part.is(Tag::Query) || part.is(Tag::Exception)) &&
                      holds_nodes(cx, part));
    return !found;
  };
  if (look(v) && v.is_object()) each_part_deep(cx, v, look);
  return found;
}

std::size_t count_parts(NativeContext& cx, const Value& v) {
  std::size_t count = 1;
  if (v.is_object()) each_part_deep(cx, v, [&](const Value&) { return ++count, true; });
  return count;
}

namespace {

// Vectors of numbers and of such vectors, which hold neither themselves nor anything else: most of
// what is substituted, again and again. False: another kind of thing.
constexpr int kMostNested = 4;
bool substitute_array(Arena& arena, const Value& v, const ValueOf& value, int depth, Value* out) {
  if (!v.is(Tag::Vector) || depth == 0 || has_meta(v)) return false;
  const auto* vector = v.as<Vector>();
  std::vector<Value> items;
  items.reserve(vector->count);
  bool changed = false;
  for (std::uint32_t i = 0; i < vector->count; ++i) {
    Value item = vector_nth(vector, i);
    if (item.is(Tag::Node)) {
      item = value(static_cast<NodeIndex>(item.bits));
      changed = true;
    } else if (item.is_object() && !item.is_number()) {
      const Value before = item;
      if (!substitute_array(arena, before, value, depth - 1, &item)) return false;
      changed = changed || item.o != before.o;
    }
    items.push_back(item);
  }
  *out = changed ? make_vector(arena, items.data(), items.size()) : v;
  return true;
}

}  // namespace

Value substitute(NativeContext& cx, const Value& v, const NumberOf& number, Substituted* known) {
  return substitute(cx, v, ValueOf([&](NodeIndex i) { return Value::real(number(i)); }), known);
}

Value substitute(NativeContext& cx, const Value& v, const ValueOf& value, Substituted* known) {
  if (v.is(Tag::Node)) return value(static_cast<NodeIndex>(v.bits));
  if (!v.is_object()) return v;
  Value array;
  if (!known && substitute_array(*cx.arena, v, value, kMostNested, &array)) return array;
  Substitution substitution(cx, value, known);
  const Value result = substitution.run(v);
  if (cx.ok()) substitution.remember();
  return result;
}

Value make_node_dist(Arena& arena, const DistType* type, const Value* args, std::uint32_t count) {
  auto* d = arena.make<Dist>(Tag::Dist, bytes_with<Dist>(count) + sizeof(double));
  d->type = &kNodeDist;
  d->value_count = count;
  d->number_count = 1;
  for (std::uint32_t i = 0; i < count; ++i) d->values[i] = args[i];
  d->numbers()[0] = std::bit_cast<double>(type);
  return Value::object(d);
}

const DistType* node_dist_type(const Dist* d) {
  return d->type == &kNodeDist ? std::bit_cast<const DistType*>(d->numbers()[0]) : nullptr;
}

}  // namespace chancel
