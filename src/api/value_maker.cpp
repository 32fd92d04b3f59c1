// SPDX-License-Identifier: Apache-2.0
// Values from outside of a program. Everything is made in one heap, which clear() gives back.
#include "api/value_view.hpp"
#include "diag/diagnostic.hpp"
#include "front/front.hpp"
#include "reader/reader.hpp"
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

ValueView ValueMaker::vector(const std::vector<ValueView>& items) {
  std::vector<Value> values;
  values.reserve(items.size());
  for (const ValueView& item : items) values.push_back(Access::value(item));
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

}  // namespace chancel
