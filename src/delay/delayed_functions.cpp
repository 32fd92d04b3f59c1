// SPDX-License-Identifier: Apache-2.0
// See delayed_draws.hpp: functions of nodes. Affine forms of normal draws, powers of gamma draws and
// tables over a finite draw stay nodes; for everything else the nodes are drawn.
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "delay/delayed_draws.hpp"
#include "delay/in_store.hpp"
#include "delay/known_distributions.hpp"
#include "math/elementary.hpp"
#include "record/carried.hpp"
#include "record/recordable.hpp"
#include "record/substitute.hpp"
#include "value/equality.hpp"
#include "value/number.hpp"
#include "value/world.hpp"

namespace chancel {

std::optional<AffineForm> DelayedDraws::affine(const Value& given) const {
  const Value v = resolve(given);
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
  const Value v = resolve(given);
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
    a = resolve(a);
    b = resolve(b);
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
        if (const Value v = resolve(args[0]); v.is(Tag::Node) && (affine(v) || power(v))) return v;
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
      given[i] = resolve(args[i]);
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
          const Value v = resolve(Value::node(id));
          known = known || !v.is(Tag::Node);
          numbers = numbers && (affine(v) || power(v) ||
                                (v.is(Tag::Node) && store_.kind(id) == DrawKind::Part));
        });
        if (numbers && known)  // of another type than nodes are taken for
          arg = substitute(cx(), arg,
                           ValueOf([&](NodeIndex id) { return resolve(Value::node(id)); }));
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
