// SPDX-License-Identifier: Apache-2.0
// See delayed_draws.hpp. This file has nodes and functions of them; distributions are in
// delayed_laws.cpp.
#include "delay/delayed_draws.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "delay/in_store.hpp"
#include "delay/laws.hpp"
#include "delay/planted.hpp"
#include "math/elementary.hpp"
#include "record/carried.hpp"
#include "record/recordable.hpp"
#include "record/substitute.hpp"
#include "value/equality.hpp"
#include "value/number.hpp"
#include "vm/world.hpp"

namespace chancel {

std::unique_ptr<RecordHook> make_delayed_draws(bool seats) {
  return std::make_unique<DelayedDraws>(seats);
}

// --- values ---

std::optional<Value> DelayedDraws::settled(DrawId id) const {
  const DrawRecord r = store_.record(id);
  const auto known = [](const DrawRecord& of) { return of.kind() == DrawKind::Known; };
  switch (r.kind()) {
    case DrawKind::Known:
      return r.field(0);
    case DrawKind::Affine: {
      double sum = r.number(0);
      for (std::size_t i = 1; i < r.field_count(); i += 2) {
        const DrawRecord component = store_.record(r.link(i));
        if (!known(component)) return std::nullopt;
        sum += component.number(0) * r.number(i + 1);
      }
      return Value::real(sum);
    }
    case DrawKind::Power: {
      const DrawRecord gamma = store_.record(r.link(1));
      if (!known(gamma)) return std::nullopt;
      return Value::real(r.number(0) * math::pow(gamma.number(0), r.number(2)));
    }
    case DrawKind::Part: {
      const DrawRecord whole = store_.record(r.link(0));
      if (!known(whole)) return std::nullopt;
      return vector_nth(whole.field(0).as<Vector>(), static_cast<std::uint32_t>(r.field(1).i));
    }
    case DrawKind::Table: {
      const DrawRecord of = store_.record(r.link(0));
      if (!known(of)) return std::nullopt;
      return vector_nth(r.field(1).as<Vector>(), static_cast<std::uint32_t>(of.field(1).i));
    }
    default:
      return std::nullopt;
  }
}

Value DelayedDraws::settle(const Value& v) const {
  if (!v.is(Tag::Node)) return v;
  return settled(static_cast<DrawId>(v.bits)).value_or(v);
}

bool DelayedDraws::holds_open_nodes(const Value& v) const {
  if (v.is(Tag::Node)) return !settled(static_cast<DrawId>(v.bits));
  return v.is_object() && holds_nodes(cx(), v);
}

bool DelayedDraws::ask(DrawId id, const Value& law, const DrawPlace& place) {
  if (!ok()) return false;
  if (stream_) {
    const auto* d = law.as<Dist>();
    const Value value = d->type->sample(cx(), d, *stream_);
    if (!ok()) return false;
    take_value(id, value);
    return true;
  }
  store_.set_pending(id);
  wanted_ = {law, place.id, place.site};
  cx().status = NativeContext::Status::NeedDraw;
  return false;
}

bool DelayedDraws::force(DrawId id) {
  const auto place = [&](std::size_t at) {
    return DrawPlace{static_cast<std::uint32_t>(store_.field(id, at).i), store_.field(id, at + 1)};
  };
  const auto law = [&](const DistType* type, double a, double b) {
    const Value args[2] = {Value::real(a), Value::real(b)};
    return type->construct(cx(), args, 2);
  };
  switch (store_.kind(id)) {
    case DrawKind::Known:
    case DrawKind::Block:
      return true;
    case DrawKind::Component: {
      const DrawId scale = gaussians_.scale_of(gaussians_.block_of(id));
      if (scale && !force(scale)) return false;
      double mean = 0;
      double variance = 0;
      gaussians_.marginal(id, &mean, &variance);
      return ask(id, law(laws().normal, mean, std::sqrt(variance)), place(1));
    }
    case DrawKind::Affine:
      for (std::size_t i = store_.field_count(id); i > 1; i -= 2)
        if (!force(store_.link(id, i - 2))) return false;
      return true;
    case DrawKind::Power:
      return force(store_.link(id, 1));
    case DrawKind::Gamma:
      return ask(id, law(laws().gamma, store_.number(id, 0), store_.number(id, 1)), place(2));
    case DrawKind::Beta:
      return ask(id, law(laws().beta, store_.number(id, 0), store_.number(id, 1)), place(2));
    case DrawKind::Dirichlet: {
      std::vector<Value> weights;
      for (std::size_t i = 2; i < store_.field_count(id); ++i)
        weights.push_back(store_.field(id, i));
      const Value args = make_vector(*cx().arena, weights.data(), weights.size());
      return ask(id, laws().dirichlet->construct(cx(), &args, 1), place(0));
    }
    case DrawKind::Part:
      return force(store_.link(id, 0));
    case DrawKind::Finite: {
      const FiniteDraw d = finite_.root_at(id);
      std::vector<Value> pairs;
      for (std::uint32_t i = 0; i < d.size(); ++i) {
        const Value pair[2] = {vector_nth(d.values.as<Vector>(), i), Value::real(d.chances[i])};
        pairs.push_back(make_vector(*cx().arena, pair, 2));
      }
      const Value args = make_vector(*cx().arena, pairs.data(), pairs.size());
      return ask(id, laws().categorical->construct(cx(), &args, 1), d.place);
    }
    case DrawKind::Table:
      return force(store_.link(id, 0));
    case DrawKind::Child: {
      const Law of = read(store_.field(id, 0));
      Value now = Value::nil();
      if (const DrawId parent = conjugate_parent(of)) now = predictive_law(of, parent);
      if (now.is_nil()) now = pinned(store_.field(id, 0));
      return ok() && ask(id, now, place(1));
    }
  }
  return true;
}

void DelayedDraws::take_value(DrawId id, const Value& value) {
  switch (store_.kind(id)) {
    case DrawKind::Component:
      gaussians_.set_value(id, to_double(value));
      break;
    case DrawKind::Finite:
      finite_.set_value(id, value);
      break;
    case DrawKind::Child: {
      const Law law = read(store_.field(id, 0));
      if (conjugate_parent(law) && !planted(DelayMistake::ChildNotTakenIn)) condition(law, value);
      store_.set_known(id, value);
      break;
    }
    default:
      store_.set_known(id, value);
      break;
  }
}

bool DelayedDraws::waits(const NativeContext& context) const {
  DrawStore store;
  store.load(const_cast<NativeContext&>(context));
  return store.pending() != 0;
}

void DelayedDraws::answer(NativeContext& context, const Value& value) {
  in_store(context, [&] {
    const DrawId id = store_.pending();
    store_.set_pending(0);
    take_value(id, value);
    return true;
  });
}

bool DelayedDraws::force_all(const Value& v) {
  std::vector<DrawId> ids;
  each_node(cx(), v, [&](NodeIndex i) { ids.push_back(i); });
  return force_all(std::move(ids));
}

bool DelayedDraws::force_all(std::vector<DrawId> ids) {
  // The last ones first: the root of a chain is at its end.
  std::sort(ids.begin(), ids.end(), std::greater<>());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return std::all_of(ids.begin(), ids.end(), [&](DrawId id) { return force(id); });
}

Value DelayedDraws::pinned(const Value& v) {
  if (v.is(Tag::Node)) {
    const auto id = static_cast<DrawId>(v.bits);
    if (!force(id)) return Value::nil();
    return *settled(id);
  }
  if (!v.is_object() || !holds_nodes(cx(), v)) return v;
  if (!force_all(v)) return Value::nil();
  return substitute(cx(), v, ValueOf([&](NodeIndex i) { return *settled(i); }));
}

Value DelayedDraws::pin(NativeContext& context, const Value& v) {
  if (!may_hold_nodes(v)) return v;
  return in_store(context, [&] { return pinned(v); });
}

Value DelayedDraws::present(NativeContext& context, const Value& v) {
  if (!may_hold_nodes(v)) return v;
  return in_store(context, [&] {
    const auto shown = [&](NodeIndex id) {
      const Value value = settle(Value::node(id));
      if (!value.is(Tag::Node)) return value;
      return store_.kind(id) == DrawKind::Table ? vector_nth(store_.field(id, 1).as<Vector>(), 0)
                                                : Value::real(1);
    };
    const Value result = substitute(cx(), v, ValueOf(shown));
    if (ok()) return result;
    cx().status = NativeContext::Status::Ok;
    return Value::nil();
  });
}

void DelayedDraws::draw_for_methods(NativeContext& context, const Value& dist) {
  std::vector<Value> open{dist};
  const auto world = remembered(context);
  open.insert(open.end(), world.begin(), world.end());
  std::vector<DrawId> ids;
  std::unordered_set<const Object*> met;
  while (!open.empty()) {
    const Value from = open.back();
    open.pop_back();
    each_value(context, from, [&](const Value& part) {
      if (part.is(Tag::Node)) ids.push_back(static_cast<DrawId>(part.bits));
      if (part.is(Tag::Atom) && met.insert(part.o).second) open.push_back(part.as<Atom>()->initial);
      if (part.is(Tag::Delay) && met.insert(part.o).second) open.push_back(part.as<Delay>()->value);
    });
  }
  in_store(context, [&] { return force_all(std::move(ids)); });
}

// --- control ---

bool DelayedDraws::test(NativeContext& context, Test test, const Value& node) {
  if (test == Test::Reduced) return false;
  return in_store(context, [&] {
    const auto holds = [&](const Value& v) {
      return test == Test::Truth ? v.truthy() : v.is_nil();
    };
    const auto id = static_cast<DrawId>(node.bits);
    if (const auto value = settled(id)) return holds(*value);
    const DrawKind kind = store_.kind(id);
    if (kind != DrawKind::Table && kind != DrawKind::Finite && kind != DrawKind::Child)
      return test == Test::Truth;  // a number
    const Value value = pinned(node);
    return ok() && holds(value);
  });
}

int DelayedDraws::order(NativeContext& context, const char* function, const Value& a,
                        const Value& b) {
  const Value x = pin(context, a);
  if (!context.ok()) return 2;
  const Value y = pin(context, b);
  if (!context.ok()) return 2;
  return number_order(context, function, x, y);
}

bool DelayedDraws::same(NativeContext& context, const Value& a, const Value& b) {
  if (!may_hold_nodes(a) && !may_hold_nodes(b)) return equal(a, b);
  const Value x = pin(context, a);
  if (!context.ok()) return false;
  const Value y = pin(context, b);
  return context.ok() && equal(x, y);
}

Value DelayedDraws::law(NativeContext& context, const Value& node) {
  return in_store(context, [&] {
    const auto id = static_cast<DrawId>(node.bits);
    if (const auto value = settled(id)) return *value;
    if (store_.kind(id) == DrawKind::Table) {
      const auto* values = store_.field(id, 1).as<Vector>();
      bool laws = true;
      for (std::uint32_t i = 0; laws && i < values->count; ++i)
        laws = vector_nth(values, i).is(Tag::Dist);
      if (laws) return node;
    }
    return pinned(node);
  });
}

bool DelayedDraws::score(NativeContext& context, const Value& log_prob, std::uint32_t,
                         double* present) {
  const Value value = pin(context, log_prob);
  if (!context.ok()) return false;
  *present = to_double(value);
  return true;
}

// --- forms ---

std::optional<AffineForm> DelayedDraws::affine(const Value& given) const {
  const Value v = settle(given);
  AffineForm form;
  if (v.is_number()) {
    form.constant = to_double(v);
    return form;
  }
  if (!v.is(Tag::Node)) return std::nullopt;
  const auto id = static_cast<DrawId>(v.bits);
  const DrawRecord r = store_.record(id);
  if (r.kind() == DrawKind::Component) {
    form.terms.push_back({id, 1});
    return form;
  }
  if (r.kind() != DrawKind::Affine) return std::nullopt;
  form.constant = r.number(0);
  for (std::size_t i = 1; i < r.field_count(); i += 2) {
    const DrawRecord component = store_.record(r.link(i));
    if (component.kind() == DrawKind::Known)
      form.constant += component.number(0) * r.number(i + 1);
    else
      form.terms.push_back({r.link(i), r.number(i + 1)});
  }
  return form;
}

Value DelayedDraws::make_affine(const AffineForm& form) {
  std::vector<Value> fields{Value::real(form.constant)};
  for (const AffineTerm& t : form.terms)
    if (t.coefficient != 0)
      fields.insert(fields.end(), {link_to(t.component), Value::real(t.coefficient)});
  if (fields.size() == 1) return fields[0];
  return Value::node(store_.add(DrawKind::Affine, fields));
}

std::optional<DelayedDraws::Power> DelayedDraws::power(const Value& given) const {
  const Value v = settle(given);
  if (!v.is(Tag::Node)) return std::nullopt;
  const auto id = static_cast<DrawId>(v.bits);
  const DrawRecord r = store_.record(id);
  if (r.kind() == DrawKind::Gamma) return Power{1, id, 1};
  if (r.kind() != DrawKind::Power) return std::nullopt;
  return Power{r.number(0), r.link(1), r.number(2)};
}

Value DelayedDraws::make_power(const Power& p) {
  return Value::node(store_.add(
      DrawKind::Power, {Value::real(p.coefficient), link_to(p.gamma), Value::real(p.exponent)}));
}

DrawId DelayedDraws::finite_of(const Value& v) const {
  if (!v.is(Tag::Node)) return 0;
  const auto id = static_cast<DrawId>(v.bits);
  if (store_.kind(id) == DrawKind::Finite) return id;
  return store_.kind(id) == DrawKind::Table ? store_.link(id, 0) : 0;
}

std::optional<Value> DelayedDraws::symbolic(char op, const Value& a, const Value& b) {
  const double sign = op == '-' ? -1 : 1;
  const auto x = affine(a);
  const auto y = affine(b);
  if (x && y) {
    AffineForm form = *x;
    if (op == '+' || op == '-') {
      form.constant += sign * y->constant;
      for (const AffineTerm& t : y->terms) {
        const auto at =
            std::find_if(form.terms.begin(), form.terms.end(),
                         [&](const AffineTerm& o) { return o.component == t.component; });
        if (at == form.terms.end())
          form.terms.push_back({t.component, sign * t.coefficient});
        else
          at->coefficient += sign * t.coefficient;
      }
      return make_affine(form);
    }
    const bool divides = op == '/';
    if (!y->terms.empty() && (divides || !x->terms.empty())) return std::nullopt;
    const double factor = y->terms.empty() ? y->constant : x->constant;
    if (!y->terms.empty()) form = *y;
    if (divides && factor == 0) return std::nullopt;
    const auto scaled = [&](double c) { return divides ? c / factor : c * factor; };
    form.constant = scaled(form.constant);
    for (AffineTerm& t : form.terms) t.coefficient = scaled(t.coefficient);
    return make_affine(form);
  }
  if (op != '*' && op != '/') return std::nullopt;
  auto p = power(a);
  auto q = power(b);
  const double turn = op == '/' ? -1 : 1;
  if (p && q && p->gamma == q->gamma) {
    p->coefficient *= math::pow(q->coefficient, turn);
    p->exponent += turn * q->exponent;
    return p->exponent == 0 ? Value::real(p->coefficient) : make_power(*p);
  }
  if (p && y && y->terms.empty() && y->constant > 0) {
    p->coefficient *= math::pow(y->constant, turn);
    return make_power(*p);
  }
  if (q && x && x->terms.empty() && x->constant > 0) {
    q->coefficient = x->constant * math::pow(q->coefficient, turn);
    q->exponent *= turn;
    return make_power(*q);
  }
  return std::nullopt;
}

Value DelayedDraws::arithmetic(char op, Value a, Value b) {
  const auto plainly = [&](const Value& x, const Value& y) {
    return op == '+'   ? add(cx(), x, y)
           : op == '-' ? subtract(cx(), x, y)
           : op == '*' ? multiply(cx(), x, y)
                       : divide(cx(), x, y);
  };
  for (;;) {
    a = settle(a);
    b = settle(b);
    if (!a.is(Tag::Node) && !b.is(Tag::Node)) return plainly(a, b);
    if (const auto form = symbolic(op, a, b)) return *form;
    const Value both[2] = {a, b};
    if (const auto table = lift(both, 2, [&](const Value* v) { return plainly(v[0], v[1]); }))
      return *table;
    if (!ok()) return Value::nil();
    // What was drawn first is more likely to be a parameter that the rest depends on.
    Value& first = !b.is(Tag::Node) || (a.is(Tag::Node) && a.bits <= b.bits) ? a : b;
    first = pinned(first);
    if (!ok()) return Value::nil();
  }
}

Value DelayedDraws::combine(NativeContext& context, char op, const Value& a, const Value& b) {
  return in_store(context, [&] { return arithmetic(op, a, b); });
}

Value DelayedDraws::function_of(const NativeDef* native, const Value* args, std::uint32_t count,
                                bool* done) {
  using Kind = Recordable::Kind;
  const Recordable how = recordable(*native);
  const auto fold = [&](char op, double unit) {
    if (count == 1 && (op == '-' || op == '/'))
      return arithmetic(op, op == '-' ? Value::integer(0) : Value::real(unit), args[0]);
    Value sum = args[0];
    for (std::uint32_t i = 1; i < count && ok(); ++i) sum = arithmetic(op, sum, args[i]);
    return sum;
  };
  *done = true;
  for (std::uint32_t i = 0; i < count; ++i)
    if (!args[i].is(Tag::Node) && !args[i].is_number()) return *done = false, Value::nil();
  if (count > 0) {
    switch (how.kind) {
      case Kind::Sum:
        return fold('+', 0);
      case Kind::Difference:
        return fold('-', 0);
      case Kind::Product:
        return fold('*', 1);
      case Kind::Quotient:
        return fold('/', 1);
      case Kind::Increment:
        return arithmetic('+', args[0], Value::integer(1));
      case Kind::Decrement:
        return arithmetic('-', args[0], Value::integer(1));
      case Kind::Itself:
        if (const Value v = settle(args[0]); v.is(Tag::Node) && (affine(v) || power(v))) return v;
        break;
      case Kind::Numeric:
        if (auto p = power(args[0]); p && p->coefficient > 0) {
          double exponent = 0;
          if (how.op == GraphOp::Sqrt && count == 1) exponent = 0.5;
          if (how.op == GraphOp::Pow && count == 2 && args[1].is_number())
            exponent = to_double(args[1]);
          if (exponent != 0)
            return make_power(
                {math::pow(p->coefficient, exponent), p->gamma, p->exponent * exponent});
        }
        break;
      default:
        break;
    }
  }
  *done = false;
  return Value::nil();
}

std::optional<Value> DelayedDraws::lift(const Value* args, std::uint32_t count,
                                        const OfValues& function) {
  DrawId of = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!holds_open_nodes(args[i])) continue;
    const DrawId finite = finite_of(args[i]);
    if (!finite || (of && of != finite)) return std::nullopt;
    of = finite;
  }
  if (!of) return std::nullopt;
  const FiniteDraw d = finite_.root_at(of);
  std::vector<Value> results;
  std::vector<Value> given(count);
  for (std::uint32_t k = 0; k < d.size(); ++k) {
    for (std::uint32_t i = 0; i < count; ++i) {
      given[i] = settle(args[i]);
      if (!given[i].is(Tag::Node)) continue;
      const auto id = static_cast<DrawId>(given[i].bits);
      given[i] = store_.kind(id) == DrawKind::Table
                     ? vector_nth(store_.field(id, 1).as<Vector>(), k)
                     : vector_nth(d.values.as<Vector>(), k);
    }
    Value result = function(given.data());
    if (!ok() && d.chances[k] == 0) {  // cannot happen
      cx().status = NativeContext::Status::Ok;
      result = Value::nil();
    }
    if (!ok() || holds_open_nodes(result)) {
      cx().status = NativeContext::Status::Ok;
      return std::nullopt;
    }
    results.push_back(result);
  }
  return Value::node(store_.add(
      DrawKind::Table, {link_to(of), make_vector(*cx().arena, results.data(), results.size())}));
}

Value DelayedDraws::call_pinned(const NativeDef* native, const Value* args, std::uint32_t count) {
  std::vector<Value> given(args, args + count);
  for (Value& v : given) {
    v = pinned(v);
    if (!ok()) return Value::nil();
  }
  cx().callee = native;
  return native->function(cx(), given.data(), count);
}

Value DelayedDraws::call(NativeContext& context, const NativeDef* native, const Value* args,
                         std::uint32_t count) {
  const auto as_it_is = [&] {
    context.callee = native;
    return native->function(context, args, count);
  };
  if (std::none_of(args, args + count, may_hold_nodes)) return as_it_is();
  if (native->dist) return construct(context, native->dist, args, count);
  const auto has_nodes = [&](const Value& v) {
    return v.is(Tag::Node) || (v.is_object() && holds_nodes(context, v));
  };
  if (carries(context, *native, args, count, has_nodes)) {
    const Value result = as_it_is();
    if (CHANCEL_LIKELY(context.status != NativeContext::Status::Failed)) return result;
    context.status = NativeContext::Status::Ok;
    return in_store(context, [&] { return call_pinned(native, args, count); });
  }
  if (std::none_of(args, args + count, has_nodes)) return as_it_is();
  return in_store(context, [&]() -> Value {
    bool done = false;
    const Value form = function_of(native, args, count, &done);
    if (done || !ok()) return form;
    const Recordable how = recordable(*native);
    if (how.kind == Recordable::Kind::Moves && how.numbers_only) {
      bool numbers = true;
      std::vector<Value> given(args, args + count);
      for (Value& arg : given) {
        bool known = false;
        each_node(cx(), arg, [&](NodeIndex id) {
          const Value v = settle(Value::node(id));
          known = known || !v.is(Tag::Node);
          numbers = numbers && (affine(v) || power(v) ||
                                (v.is(Tag::Node) && store_.kind(id) == DrawKind::Part));
        });
        if (numbers && known)  // of another type than nodes are taken for
          arg =
              substitute(cx(), arg, ValueOf([&](NodeIndex id) { return settle(Value::node(id)); }));
      }
      if (numbers && ok()) {
        cx().callee = native;
        const Value result = native->function(cx(), given.data(), count);
        if (CHANCEL_LIKELY(cx().status != NativeContext::Status::Failed)) return result;
      }
      if (cx().status == NativeContext::Status::Failed) cx().status = NativeContext::Status::Ok;
    }
    if (is_pure(native, args))
      if (const auto table = lift(args, count, [&](const Value* v) {
            cx().callee = native;
            return native->function(cx(), v, count);
          }))
        return *table;
    if (!ok()) return Value::nil();
    return call_pinned(native, args, count);
  });
}

Value DelayedDraws::call_data(NativeContext& context, CallData call, const Value& f,
                              const Value* args, std::uint32_t count) {
  const bool asks = f.is(Tag::Node) || (count > 0 && stands_in(args[0])) ||
                    (count > 0 && args[0].is_object() && !f.is(Tag::Keyword) &&
                     !f.is(Tag::Symbol) && holds_nodes(context, args[0]));
  if (!asks) return call(context, f, args, count);
  return in_store(context, [&]() -> Value {
    std::vector<Value> all{f};
    all.insert(all.end(), args, args + count);
    if (const auto table = lift(all.data(), count + 1,
                                [&](const Value* v) { return call(cx(), v[0], v + 1, count); }))
      return *table;
    for (Value& v : all) {
      v = pinned(v);
      if (!ok()) return Value::nil();
    }
    return call(cx(), all[0], all.data() + 1, count);
  });
}

}  // namespace chancel
