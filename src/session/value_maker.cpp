// SPDX-License-Identifier: Apache-2.0
// Values from outside of a program. Everything is made in one heap, which clear() gives back.
#include <fmt/format.h>

#include <algorithm>

#include "diag/diagnostic.hpp"
#include "front/front.hpp"
#include "reader/reader.hpp"
#include "session/messages.hpp"
#include "session/value_view.hpp"
#include "value/big_integer.hpp"
#include "value/collections.hpp"
#include "value/heap.hpp"

namespace chancel {

struct ValueMaker::Impl {
  Heap heap;
  Arena arena{heap};
};

ValueMaker::ValueMaker() : impl_(std::make_unique<Impl>()) {}
ValueMaker::ValueMaker(ValueMaker&&) noexcept = default;
ValueMaker& ValueMaker::operator=(ValueMaker&&) noexcept = default;
ValueMaker::~ValueMaker() = default;

ValueView ValueMaker::nil() { return Access::view(Value::nil()); }
ValueView ValueMaker::boolean(bool value) { return Access::view(Value::boolean(value)); }
ValueView ValueMaker::integer(std::int64_t value) { return Access::view(Value::integer(value)); }
ValueView ValueMaker::real(double value) { return Access::view(Value::real(value)); }
ValueView ValueMaker::keyword(std::string_view name) {
  return Access::view(Value::keyword(intern(name)));
}

ValueView ValueMaker::string(std::string_view text) {
  return Access::view(make_string(impl_->arena, text));
}

ValueView ValueMaker::integer_of_bytes(std::string_view bytes) {
  const bool negative = !bytes.empty() && (bytes.back() & 0x80) != 0;
  std::string magnitude(bytes);
  unsigned carry = 1;  // of negation
  if (negative)
    for (char& c : magnitude) {
      carry += static_cast<unsigned char>(~c);
      c = static_cast<char>(carry & 0xff);
      carry >>= 8;
    }
  while (!magnitude.empty() && magnitude.back() == 0) magnitude.pop_back();
  if (magnitude.size() > kMostBits / 8)
    throw_error(Code::R001,
                fmt::format("an integer has at most {} bits, got one of about {}", kMostBits,
                            8 * magnitude.size()),
                "", ExitCode::Failed);
  std::reverse(magnitude.begin(), magnitude.end());
  const Value made = big_integer_of_bytes(impl_->arena,
                                          magnitude.empty() ? 0
                                          : negative        ? -1
                                                            : 1,
                                          magnitude);
  if (const auto small = small_integer(made)) return integer(*small);
  return Access::view(as_big_integer(impl_->arena, made));
}

ValueView ValueMaker::vector(const std::vector<ValueView>& items) {
  std::vector<Value> values;
  values.reserve(items.size());
  for (const ValueView& item : items) values.push_back(Access::value(item));
  return Access::view(make_vector(impl_->arena, values.data(), values.size()));
}

ValueView ValueMaker::set(const std::vector<ValueView>& items) {
  Value set = empty_set(impl_->arena);
  for (const ValueView& item : items) set = set_conj(impl_->arena, set, Access::value(item));
  return Access::view(set);
}

ValueView ValueMaker::reals(std::span<const double> numbers) {
  std::vector<Value> values;
  values.reserve(numbers.size());
  for (const double x : numbers) values.push_back(Value::real(x));
  return Access::view(make_vector(impl_->arena, values.data(), values.size()));
}

ValueView ValueMaker::integers(std::span<const std::int64_t> numbers) {
  std::vector<Value> values;
  values.reserve(numbers.size());
  for (const std::int64_t x : numbers) values.push_back(Value::integer(x));
  return Access::view(make_vector(impl_->arena, values.data(), values.size()));
}

ValueView ValueMaker::map(const std::vector<std::pair<ValueView, ValueView>>& entries) {
  Value map = empty_map(impl_->arena);
  for (const auto& [key, value] : entries)
    map = map_assoc(impl_->arena, map, Access::value(key), Access::value(value));
  return Access::view(map);
}

std::optional<ValueView> ValueMaker::parse(std::string_view edn) {
  SourceMap sources;
  DiagnosticSink sink;
  const std::uint32_t file = sources.add("value", std::string(edn));
  const std::vector<Value> values = read_values(sources, file, impl_->arena, sink);
  if (values.size() != 1) return std::nullopt;
  return Access::view(values[0]);
}

void ValueMaker::clear() { impl_ = std::make_unique<Impl>(); }

// --- Arguments ---

struct Arguments::Impl {
  ValueMaker maker;
  std::vector<std::pair<ValueView, ValueView>> named;
  std::optional<ValueView> whole;
};

Arguments::Arguments() : impl_(std::make_shared<Impl>()) {}
ValueMaker& Arguments::maker() { return impl_->maker; }

Arguments& Arguments::bind_view(std::string_view parameter, const ValueView& value) {
  impl_->named.emplace_back(ValueMaker::keyword(parameter), value);
  return *this;
}
Arguments& Arguments::bind_whole(const ValueView& value) {
  impl_->whole = value;
  return *this;
}

std::vector<std::string> ArgumentsAccess::names(const Arguments& arguments) {
  std::vector<std::string> out;
  for (const auto& [name, value] : arguments.impl_->named) out.push_back(name.text());
  return out;
}

Value ArgumentsAccess::value(const Arguments& arguments, Arena& arena) {
  Arguments::Impl& x = *arguments.impl_;
  return deep_copy(Access::value(x.whole ? *x.whole : x.maker.map(x.named)), arena,
                   [](const Object*) { return false; });
}

}  // namespace chancel
