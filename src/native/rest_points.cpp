// SPDX-License-Identifier: Apache-2.0
// Rest points: where executions stop, how rows are laid out there, and how they are written and read.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "native/translator.hpp"

namespace chancel::native {

namespace {
constexpr std::size_t kMostVersions = 6;  // of a place
constexpr std::size_t kMostFrames = 24;

bool same(const Known& a, const Known& b) {
  if (a.kind != b.kind || a.type != b.type || a.tag != b.tag || a.proto != b.proto ||
      a.law != b.law || a.process != b.process || a.shape != b.shape)
    return false;
  return !a.is_constant() || (a.value.tag == b.value.tag && a.value.bits == b.value.bits);
}
bool same_example(const Known& a, const Known& b) {
  return a.example.tag == b.example.tag && a.example.bits == b.example.bits;
}
}  // namespace

bool Translator::live(const AbstractFrame& frame, bool top, std::size_t slot) {
  if (!top && frame.kind != FrameKind::Normal) return true;
  const Liveness& l = liveness(frame.code);
  if (slot == 0) return l.needs_function(frame.pc);
  return (slot - 1 != frame.dst) && l.live(frame.pc, static_cast<std::uint32_t>(slot - 1));
}

// At a label no frame waits for a value but those below the top.
void Translator::drop_dead(std::vector<AbstractFrame>& frames) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    AbstractFrame& f = frames[i];
    const bool top = i + 1 == frames.size();
    const Liveness& l = liveness(f.code);
    for (std::size_t s = 0; s < f.slots.size(); ++s) {
      const bool needed =
          top ? (s == 0 ? l.needs_function(f.pc) : l.live(f.pc, static_cast<std::uint32_t>(s - 1)))
              : live(f, false, s);
      if (!needed) f.slots[s] = Known{};
    }
  }
}

std::size_t Translator::first_point(const Prefix& prefix) {
  Point p;
  const auto known = [&](const Value& v) {
    if (stands_still(v)) return Known::constant(v);
    Known k;
    k.kind = Known::Kind::Uniform;
    k.example = v;
    k.learn(v);
    return k;
  };
  std::vector<const Frame*> stack;
  for (const auto* f = static_cast<const Frame*>(prefix.at.top); f; f = f->below)
    stack.push_back(f);
  for (auto f = stack.rbegin(); f != stack.rend(); ++f) {
    AbstractFrame frame;
    frame.code = (*f)->code;
    frame.pc = (*f)->pc;
    frame.dst = (*f)->dst;
    frame.kind = (*f)->kind;
    for (std::uint32_t s = 0; s < (*f)->count; ++s) {
      frame.slots.push_back(known((*f)->slots[s]));
      if (!live(frame, *f == stack.front(), s)) frame.slots.back() = Known{};
    }
    p.frames.push_back(std::move(frame));
  }
  p.draws_first = prefix.kind == Stop::Sample;
  if (p.draws_first) p.law = known(prefix.dist);
  make_layout(p, prefix.site);
  points_.push_back(std::move(p));
  return 0;
}

namespace {

// What rows rely on; nothing: the value may be any.
std::optional<ValueRule> rule_of(const Known& k) {
  ValueRule rule;
  if (k.is_constant()) {
    rule.constant = k.value;
    return rule;
  }
  if (k.type != Type::Any) {
    rule.tag = k.type == Type::Int ? Tag::Int : k.type == Type::Double ? Tag::Double : Tag::Bool;
    return rule;
  }
  if (k.tag == Tag::Nil) return std::nullopt;
  rule.tag = k.tag;
  rule.kind = k.tag == Tag::Closure   ? static_cast<const void*>(k.proto)
              : k.tag == Tag::Dist    ? static_cast<const void*>(k.law)
              : k.tag == Tag::Process ? static_cast<const void*>(k.process)
                                      : nullptr;
  if (k.shape)
    for (const Known& held : k.shape->held)
      rule.held.push_back(rule_of(held).value_or(ValueRule{}));
  return rule;
}

}  // namespace

void Translator::make_layout(Point& p, std::uint32_t site) {
  p.layout = std::make_unique<RestPoint>();
  RestPoint& l = *p.layout;
  l.site = site;
  l.segment = static_cast<std::uint32_t>(points_.size());
  for (AbstractFrame& f : p.frames) {
    RestFrame frame{f.code, f.pc, f.dst, f.kind, {}};
    for (Known& k : f.slots) {
      SlotPlace place;
      switch (k.kind) {
        case Known::Kind::Nothing:
          break;
        case Known::Kind::Constant:
          place = {SlotIn::Constant, static_cast<std::uint32_t>(l.constants.size())};
          l.constants.push_back(k.value);
          break;
        case Known::Kind::Uniform:
          place = {SlotIn::Common, l.common++};
          break;
        case Known::Kind::Varying:
          if (k.type == Type::Any)
            place = {SlotIn::Value, l.values++};
          else
            place = {k.type == Type::Int      ? SlotIn::Int
                     : k.type == Type::Double ? SlotIn::Double
                                              : SlotIn::Bool,
                     l.numbers++};
      }
      if (place.in == SlotIn::Common || place.in == SlotIn::Value)
        if (auto rule = rule_of(k)) {
          l.rules.push_back(*rule);
          place.rule = static_cast<std::uint32_t>(l.rules.size());
        }
      frame.slots.push_back(place);
    }
    l.frames.push_back(std::move(frame));
  }
  if (p.law.kind == Known::Kind::Uniform) ++l.common;  // the last one
}

std::string Translator::place_of(const std::vector<AbstractFrame>& frames) const {
  std::string place;
  for (const AbstractFrame& f : frames)
    place +=
        fmt::format("{}:{}:{}:{}:{} ", static_cast<const void*>(f.code),
                    f.pc - f.code->instrs.data(), f.dst, static_cast<int>(f.kind), f.slots.size());
  return place;
}

// What holds of both.
Known Translator::joined(const Known& a, const Known& b) const {
  if (a.kind == Known::Kind::Nothing || b.kind == Known::Kind::Nothing) return Known{};
  if (same(a, b)) {
    Known k = a;
    if (!same_example(a, b)) k.example = Value::node(0);
    return k;
  }
  Known k;
  k.kind = a.is_uniform() && b.is_uniform() ? Known::Kind::Uniform : Known::Kind::Varying;
  k.type = a.type == b.type ? a.type : Type::Any;
  if (a.tag == b.tag) k.tag = a.tag;
  if (a.proto == b.proto) k.proto = a.proto;
  if (a.law == b.law) k.law = a.law;
  if (a.process == b.process) k.process = a.process;
  if (a.shape == b.shape) k.shape = a.shape;
  if (a.guess == b.guess) k.guess = a.guess;
  if (same_example(a, b)) k.example = a.example;
  return k;
}

std::size_t Translator::point_of(const std::vector<AbstractFrame>& frames, std::uint32_t site) {
  if (frames.size() > kMostFrames) return kNoPoint;
  std::vector<std::size_t>& versions = versions_[place_of(frames)];
  std::vector<AbstractFrame> wanted = frames;
  if (!versions.empty()) {
    const std::vector<AbstractFrame>& last = points_[versions.back()].frames;
    for (std::size_t f = 0; f < wanted.size(); ++f)
      for (std::size_t s = 0; s < wanted[f].slots.size(); ++s)
        wanted[f].slots[s] = joined(last[f].slots[s], wanted[f].slots[s]);
  }
  for (const std::size_t v : versions) {
    bool equal = true;
    for (std::size_t f = 0; f < wanted.size() && equal; ++f)
      for (std::size_t s = 0; s < wanted[f].slots.size() && equal; ++s)
        equal = same(points_[v].frames[f].slots[s], wanted[f].slots[s]);
    if (equal) return v;
  }
  if (versions.size() >= kMostVersions) return kNoPoint;
  Point p;
  p.frames = std::move(wanted);
  for (AbstractFrame& f : p.frames)
    for (Known& k : f.slots) k.last = 0;
  make_layout(p, site);
  points_.push_back(std::move(p));
  versions.push_back(points_.size() - 1);
  return points_.size() - 1;
}

void Translator::stop_at(std::size_t point, const std::vector<AbstractFrame>& frames,
                         const std::string& score) {
  const RestPoint& l = *points_[point].layout;
  auto& next = ways_out_.points;
  if (const auto at = std::lower_bound(next.begin(), next.end(), point);
      at == next.end() || *at != point)
    next.insert(at, point);
  ways_out_.by_particle |= !writer_->straight;
  // What is common is made once a batch.
  const std::uint32_t common = writer_->variable(Type::Int);
  std::string make = fmt::format(
      "if (!v{0}) {{ cn_stands_at(b, {4}); cn_common* const c = cn_new(b, CN_COMMON, {1}); "
      "c->point = b->points[{2}]; "
      "c->count = {3};",
      common, sizeof(Common) - sizeof(Value) + l.common * sizeof(Value), point, l.common, l.site);
  std::string fill;
  for (std::size_t f = 0; f < frames.size(); ++f)
    for (std::size_t s = 0; s < frames[f].slots.size(); ++s) {
      const SlotPlace place = l.frames[f].slots[s];
      const Known& k = frames[f].slots[s];
      switch (place.in) {
        case SlotIn::Nowhere:
        case SlotIn::Constant:
          break;
        case SlotIn::Common:
          make += fmt::format(" c->values[{}] = {};", place.index, writer_->boxed(k));
          break;
        case SlotIn::Value:
          fill += fmt::format(" values[{}] = {};", place.index, writer_->boxed(k));
          break;
        case SlotIn::Int:
          fill += fmt::format(" ((int64_t*)(values + {}))[{}] = {};", l.values, place.index,
                              writer_->number(k));
          break;
        case SlotIn::Double:
          fill += fmt::format(" ((double*)(values + {}))[{}] = {};", l.values, place.index,
                              writer_->number(k));
          break;
        case SlotIn::Bool:
          fill += fmt::format(" ((int64_t*)(values + {}))[{}] = {};", l.values, place.index,
                              writer_->truth(k));
      }
    }
  leave_family();
  writer_->first_line(fmt::format("v{} = 0;", common));
  writer_->line(make + fmt::format(" v{} = (int64_t)(intptr_t)c; }}", common));
  writer_->line(
      fmt::format("{{ cn_row* const r = cn_new(b, CN_ROW, {}); r->head.aux = {}; "
                  "r->common = (cn_common*)(intptr_t)v{}; cn_value* const values = (cn_value*)(r + "
                  "1); (void)values;",
                  row_bytes(l), l.values, common));
  if (!fill.empty()) writer_->line(fill);
  writer_->line(fmt::format(
      "cn_execution* const y = &b->to[i]; y->top = r; y->world = b->world; y->predicts = predicts; "
      "y->applications = applications + {}; b->score[i] = {}; continue; }}",
      state_.applications, score));
  worthwhile_ = true;
}

State Translator::enter(Point& point, std::string* entry) {
  const RestPoint& l = *point.layout;
  State state;
  state.frames = point.frames;
  for (std::size_t f = 0; f < state.frames.size(); ++f)
    for (std::size_t s = 0; s < state.frames[f].slots.size(); ++s) {
      Known& k = state.frames[f].slots[s];
      const SlotPlace place = l.frames[f].slots[s];
      const char* const field = k.type == Type::Double ? ".u.d" : k.type == Type::Any ? "" : ".u.i";
      if (k.kind == Known::Kind::Uniform) {
        k.variable = writer_->variable(k.type);
        writer_->batch_line(
            fmt::format("v{} = b->common->values[{}]{};", k.variable, place.index, field));
      } else if (k.kind == Known::Kind::Varying) {
        k.variable = writer_->variable(k.type);
        *entry +=
            k.type == Type::Any
                ? fmt::format("    v{} = ((cn_value*)(row + 1))[{}];\n", k.variable, place.index)
                : fmt::format("    v{} = (({}*)((cn_value*)(row + 1) + {}))[{}];\n", k.variable,
                              k.type == Type::Double ? "double" : "int64_t", l.values, place.index);
      }
    }
  // The top waits for the answer of its checkpoint: nil, or the draw of the prefix.
  AbstractFrame& top = state.top();
  if (top.dst != kNoDestination) {
    if (top.slots.size() < top.dst + 2u) top.slots.resize(top.dst + 2u);
    top.slots[top.dst + 1u] = Known::constant(Value::nil());
  }
  if (point.law.kind == Known::Kind::Uniform) {
    point.law.variable = writer_->variable(Type::Any);
    writer_->batch_line(
        fmt::format("v{} = b->common->values[{}];", point.law.variable, l.common - 1));
  }
  return state;
}

}  // namespace chancel::native
