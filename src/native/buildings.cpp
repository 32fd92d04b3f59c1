// SPDX-License-Identifier: Apache-2.0
// Scalar replacement of closures and distributions that do not escape (abstract.hpp: Building).
#include <fmt/format.h>

#include <algorithm>

#include "native/translator.hpp"

namespace chancel::native {

namespace {
// Beyond this what is captured is made: a function that captures its predecessor would grow with each turn of a loop.
constexpr std::size_t kDeepest = 3;
constexpr std::size_t kMostParts = 12;
}  // namespace

Known Translator::build_closure(const FunctionProto* proto, std::vector<Known> values) {
  auto building = std::make_shared<Building>();
  std::size_t depth = 0;
  for (const Known& k : values)
    if (k.is_built()) depth = std::max(depth, k.building->depth);
  if (depth >= kDeepest) {
    show(values);
    depth = 0;
  }
  leave_family();  // its mark counts the particle's applications
  const Known mark = writer_->compute(
      Type::Int, false,
      fmt::format("(uint16_t)(((applications + {}) * 0x9e3779b97f4a7c15ull) >> 48)",
                  state_.applications));
  building->depth = depth + 1;
  building->values = std::move(values);
  building->numbers.push_back({{}, mark});
  Known k;
  k.kind = Known::Kind::Built;
  k.tag = Tag::Closure;
  k.proto = proto;
  k.building = std::move(building);
  if (k.building->values.size() > kMostParts) show({&k, 1});
  return k;
}

Known Translator::build_distribution(const DistType* distribution, std::vector<Known> values,
                                     std::vector<Building::Number> numbers, std::string pending) {
  Known k;
  k.kind = Known::Kind::Built;
  k.tag = Tag::Dist;
  k.distribution = distribution;
  auto building = std::make_shared<Building>();
  building->values = std::move(values);
  building->numbers = std::move(numbers);
  building->pending = std::move(pending);
  k.building = std::move(building);
  return k;
}

// Number `index` of a distribution or closure that was not made.
std::string Translator::number_in(const Building& b, std::size_t index) {
  const Building::Number& n = b.numbers[index];
  return n.value ? writer_->real(b.values[*n.value]) : writer_->number(n.known);
}

// The same in the state stay the same: all that are there are made together.
void Translator::show(std::span<Known> seen) {
  if (std::none_of(seen.begin(), seen.end(), [](const Known& k) { return k.is_built(); })) return;
  Made made;
  for (Known& k : seen) make(k, made);
  for (AbstractFrame& f : state_.frames)
    for (Known& k : f.slots) make(k, made);
}

void Translator::make(Known& k, Made& made) {
  if (!k.is_built()) return;
  const auto found = made.find(k.building);
  if (found != made.end()) {
    k = found->second;
    return;
  }
  Building parts = *k.building;
  for (Known& v : parts.values) make(v, made);
  if (!parts.pending.empty()) writer_->line(parts.pending);
  Known object;
  object.kind = Known::Kind::Varying;
  object.variable = writer_->variable(Type::Any);
  object.tag = k.tag;
  object.proto = k.proto;
  object.distribution = k.distribution;
  const std::size_t count = parts.values.size();
  std::string text;
  if (k.tag == Tag::Closure) {
    object.shape = shape_of(parts.values);
    text = fmt::format(
        "{{ cn_closure* const c = cn_new(b, CN_CLOSURE, {}); c->proto = {}; c->head.aux = "
        "(uint16_t){};",
        sizeof(Closure) - sizeof(Value) + count * sizeof(Value), writer_->pointer(k.proto),
        number_in(parts, 0));
    for (std::size_t i = 0; i < count; ++i)
      text += fmt::format(" c->captured[{}] = {};", i, writer_->boxed(parts.values[i]));
    text += fmt::format(" v{0}.u.o = c; v{0}.tag = CN_CLOSURE; }}", object.variable);
  } else {
    const std::size_t numbers = parts.numbers.size();
    text = fmt::format(
        "{{ cn_dist* const d = cn_new(b, CN_DIST, {}); d->type = {}; d->value_count = {}; "
        "d->number_count = {};",
        sizeof(Dist) - sizeof(Value) + count * sizeof(Value) + numbers * sizeof(double),
        writer_->pointer(k.distribution), count, numbers);
    for (std::size_t i = 0; i < count; ++i)
      text += fmt::format(" d->values[{}] = {};", i, writer_->boxed(parts.values[i]));
    for (std::size_t i = 0; i < numbers; ++i)
      text += fmt::format(" ((double*)(d->values + {}))[{}] = {};", count, i, number_in(parts, i));
    text += fmt::format(" v{0}.u.o = d; v{0}.tag = CN_DIST; }}", object.variable);
  }
  writer_->line(text);
  made.emplace(k.building, object);
  k = object;
}

void Translator::finish_numbers(Known& k, Finished& finished) {
  if (!k.is_built()) return;
  std::shared_ptr<const Building>& done = finished[k.building];
  if (!done) {
    auto whole = std::make_shared<Building>(*k.building);
    for (Known& v : whole->values) finish_numbers(v, finished);
    if (!whole->pending.empty()) writer_->line(whole->pending);
    whole->pending.clear();
    done = std::move(whole);
  }
  k.building = done;
}

void Translator::finish_numbers(std::vector<AbstractFrame>& frames, Finished finished) {
  for (AbstractFrame& f : frames)
    for (Known& k : f.slots) finish_numbers(k, finished);
}

// Whether a register that is read later holds it, once the one for the result is written.
bool Translator::held_elsewhere(const std::shared_ptr<const Building>& building,
                                std::uint32_t dst) {
  const auto holds = [&](const auto& self, const Known& k) -> bool {
    if (!k.is_built()) return false;
    const std::vector<Known>& parts = k.building->values;
    return k.building == building ||
           std::any_of(parts.begin(), parts.end(), [&](const Known& p) { return self(self, p); });
  };
  const std::size_t top = state_.frames.size() - 1;
  for (std::size_t i = 0; i <= top; ++i) {
    const AbstractFrame& f = state_.frames[i];
    for (std::size_t s = 0; s < f.slots.size(); ++s) {
      if (!holds(holds, f.slots[s])) continue;
      const bool needed =
          i < top  ? live(f, false, s)
          : s == 0 ? liveness(f.code).needs_function(f.pc)
                   : s - 1 != dst && liveness(f.code).live(f.pc, static_cast<std::uint32_t>(s - 1));
      if (needed) return true;
    }
  }
  return false;
}

void Parts::own(Known& k) {
  if (k.kind == Known::Kind::Varying) varying_.push_back(&k);
  if (!k.is_built()) return;
  std::shared_ptr<const Building>& copy = copies_[k.building];
  if (!copy) {
    auto fresh = std::make_shared<Building>(*k.building);
    for (Known& v : fresh->values) own(v);
    for (Building::Number& n : fresh->numbers)
      if (!n.value) own(n.known);
    copies_[k.building] = fresh;
    k.building = std::move(fresh);
  } else {
    k.building = copy;
  }
}

std::vector<Known*> Parts::varying_of(std::vector<AbstractFrame>& frames) {
  for (AbstractFrame& f : frames)
    for (Known& k : f.slots) own(k);
  return varying_;
}

void Knowledge::add(const Known& k) {
  switch (k.kind) {
    case Known::Kind::Nothing:
      text_ += '.';
      return;
    case Known::Kind::Constant:
      text_ += fmt::format("c{}.{} ", static_cast<std::uint64_t>(k.value.tag), k.value.bits);
      return;
    case Known::Kind::Uniform:
      text_ += variables_ ? fmt::format("u{} ", k.variable) : "u";
      if (variables_) return;
      break;
    case Known::Kind::Varying:
      text_ += 'v';
      break;
    case Known::Kind::Built: {
      const auto [at, fresh] = met_.try_emplace(k.building.get(), met_.size());
      text_ += fmt::format("b{}", at->second);
      if (!fresh) return;
      text_ +=
          fmt::format("({}.{}.{}:", static_cast<std::uint64_t>(k.tag),
                      static_cast<const void*>(k.proto), static_cast<const void*>(k.distribution));
      for (const Known& v : k.building->values) add(v);
      text_ += ';';
      for (const Building::Number& n : k.building->numbers)
        if (!n.value) add(n.known);
      text_ += ')';
      return;
    }
  }
  text_ +=
      fmt::format("{}.{}.{}.{}.{}.{} ", static_cast<int>(k.type), static_cast<std::uint64_t>(k.tag),
                  static_cast<const void*>(k.proto), static_cast<const void*>(k.distribution),
                  static_cast<const void*>(k.process), static_cast<const void*>(k.shape));
}

}  // namespace chancel::native
