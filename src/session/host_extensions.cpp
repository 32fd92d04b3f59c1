// SPDX-License-Identifier: Apache-2.0
// See host_extensions.hpp.
#include "session/host_extensions.hpp"

#include <fmt/format.h>

#include <limits>

#include "dist/object.hpp"
#include "random/stream.hpp"
#include "session/messages.hpp"
#include "session/value_view.hpp"
#include "value/big_integer.hpp"
#include "value/collections.hpp"
#include "value/number.hpp"
#include "value/print.hpp"

namespace chancel {

struct NativeAccess {
  static NativeCall call(Arena& arena, const Value* args, std::size_t count) {
    NativeCall call;
    call.arena_ = &arena;
    call.arguments_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) call.arguments_.push_back(Access::view(args[i]));
    return call;
  }
  static Randomness random(Stream& stream) {
    Randomness random;
    random.stream_ = &stream;
    return random;
  }
};

namespace {

Value call_extension(NativeContext& cx, const Value* args, std::uint32_t count) {
  return static_cast<HostExtension*>(cx.callee->user)->call(cx, args, count);
}

// True when an argument has to be realised first; cx then asks for it.
bool needs_more(NativeContext& cx, const Value* args, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    Value realised;
    if (args[i].is(Tag::LazySeq) && !lazy_value(cx, args[i].as<LazySeq>(), &realised)) {
      cx.need(realised, true);
      return true;
    }
  }
  return false;
}

Arena& arena_of(void* arena) { return *static_cast<Arena*>(arena); }

class HostFunction final : public HostExtension {
 public:
  explicit HostFunction(const NativeFunction& function) : function_(function) {
    def_.name = function_.name.c_str();
    def_.min_args = static_cast<std::int16_t>(function_.min_arguments);
    def_.max_args = static_cast<std::int16_t>(function_.max_arguments);
    def_.signature = function_.signature.c_str();
    def_.doc = function_.doc.c_str();
  }
  Value call(NativeContext& cx, const Value* args, std::uint32_t count) override {
    if (needs_more(cx, args, count)) return Value::nil();
    try {
      NativeCall call = NativeAccess::call(*cx.arena, args, count);
      return Access::value(function_.call(call));
    } catch (const BadArgument& e) {
      return cx.fail(Code::R009, fmt::format("{}: {}", function_.name, e.what()),
                     static_cast<int>(e.argument()));
    } catch (const std::exception& e) {
      return cx.fail(Code::R009, fmt::format("{}: {}", function_.name, e.what()));
    }
  }

 private:
  NativeFunction function_;
};

// The table of a distribution of the host, followed by its closures.
struct HostDistType : DistType {
  NativeDistribution host;
  std::vector<const char*> names;
};

class HostDistribution final : public HostExtension {
 public:
  explicit HostDistribution(const NativeDistribution& distribution) {
    type_.host = distribution;
    for (const std::string& name : type_.host.parameters) type_.names.push_back(name.c_str());
    type_.name = type_.host.name.c_str();
    type_.parameter_names = type_.names.data();
    type_.parameter_count = static_cast<std::uint32_t>(type_.names.size());
    type_.support = DistSupport::Other;
    type_.discrete = type_.host.discrete;
    type_.doc = type_.host.doc.c_str();
    type_.construct = def_.function;
    type_.sample = sample;
    type_.log_prob = log_prob;
    def_.name = type_.name;
    def_.min_args = def_.max_args = static_cast<std::int16_t>(type_.parameter_count);
    signature_ = "[";
    for (const std::string& name : type_.host.parameters)
      signature_ += (signature_.size() > 1 ? " " : "") + name;
    signature_ += "]";
    def_.signature = signature_.c_str();
    def_.doc = type_.doc;
    def_.dist = &type_;
    def_.flags = kPure;
  }

  Value call(NativeContext& cx, const Value* args, std::uint32_t count) override {
    if (needs_more(cx, args, count)) return Value::nil();
    try {
      NativeCall parameters = NativeAccess::call(*cx.arena, args, count);
      if (type_.host.check) type_.host.check(parameters);
    } catch (const BadArgument& e) {
      return cx.fail(Code::D001, fmt::format("{}: {}", type_.name, e.what()),
                     static_cast<int>(e.argument()));
    } catch (const std::exception& e) {
      return cx.fail(Code::D001, fmt::format("{}: {}", type_.name, e.what()));
    }
    Dist* d = make_dist(*cx.arena, &type_, count, 0);
    for (std::uint32_t i = 0; i < count; ++i) value_at(d, i) = args[i];
    return Value::object(d);
  }

 private:
  static const NativeDistribution& host_of(const Dist* d) {
    return static_cast<const HostDistType*>(d->type)->host;
  }
  static Value sample(NativeContext& cx, const Dist* d, Stream& stream) {
    try {
      NativeCall parameters = NativeAccess::call(*cx.arena, d->values, d->value_count);
      Randomness random = NativeAccess::random(stream);
      return Access::value(host_of(d).sample(parameters, random));
    } catch (const std::exception& e) {
      return cx.fail(Code::R009, fmt::format("{}: {}", host_of(d).name, e.what()));
    }
  }
  static double log_prob(NativeContext& cx, const Dist* d, const Value& x) {
    try {
      NativeCall parameters = NativeAccess::call(*cx.arena, d->values, d->value_count);
      return host_of(d).log_prob(parameters, Access::view(x));
    } catch (const std::exception& e) {
      cx.fail(Code::R009, fmt::format("{}: {}", host_of(d).name, e.what()));
      return std::numeric_limits<double>::quiet_NaN();
    }
  }

  HostDistType type_{};
  std::string signature_;
};

}  // namespace

HostExtension::HostExtension() {
  def_.function = call_extension;
  def_.user = this;
}

std::unique_ptr<HostExtension> make_extension(const NativeFunction& function) {
  return std::make_unique<HostFunction>(function);
}
std::unique_ptr<HostExtension> make_extension(const NativeDistribution& distribution) {
  return std::make_unique<HostDistribution>(distribution);
}

// --- NativeCall and Randomness ---

double NativeCall::number(std::size_t index) const {
  const Value v = Access::value(arguments_.at(index));
  if (!v.is_number()) throw BadArgument(index, fmt::format("expected a number, got {}", show(v)));
  return to_double(v);
}

std::int64_t NativeCall::integer(std::size_t index) const {
  const Value v = Access::value(arguments_.at(index));
  const auto small = is_integer(v) ? small_integer(v) : std::nullopt;
  if (!small) throw BadArgument(index, fmt::format("expected an integer, got {}", show(v)));
  return *small;
}

std::vector<double> NativeCall::numbers(std::size_t index) const {
  const ValueView& all = arguments_.at(index);
  std::vector<double> out;
  const auto fail = [&] {
    return BadArgument(index, fmt::format("expected numbers, got {}", show(Access::value(all))));
  };
  if (all.kind() != ValueView::Kind::Vector && all.kind() != ValueView::Kind::List) throw fail();
  for (const ValueView& item : all.items()) {
    if (!item.is_number()) throw fail();
    out.push_back(item.number());
  }
  return out;
}

ValueView NativeCall::string(std::string_view text) const {
  return Access::view(make_string(arena_of(arena_), text));
}

ValueView NativeCall::vector(const std::vector<ValueView>& items) const {
  std::vector<Value> values;
  values.reserve(items.size());
  for (const ValueView& item : items) values.push_back(Access::value(item));
  return Access::view(make_vector(arena_of(arena_), values.data(), values.size()));
}

ValueView NativeCall::reals(const std::vector<double>& items) const {
  std::vector<Value> values;
  values.reserve(items.size());
  for (const double item : items) values.push_back(Value::real(item));
  return Access::view(make_vector(arena_of(arena_), values.data(), values.size()));
}

ValueView NativeCall::map(const std::vector<std::pair<ValueView, ValueView>>& entries) const {
  Value map = empty_map(arena_of(arena_));
  for (const auto& [key, value] : entries)
    map = map_assoc(arena_of(arena_), map, Access::value(key), Access::value(value));
  return Access::view(map);
}

double Randomness::uniform() { return static_cast<Stream*>(stream_)->uniform(); }
double Randomness::normal() { return static_cast<Stream*>(stream_)->normal(); }
double Randomness::exponential() { return static_cast<Stream*>(stream_)->exponential(); }
std::uint64_t Randomness::bits() { return static_cast<Stream*>(stream_)->next(); }

}  // namespace chancel
