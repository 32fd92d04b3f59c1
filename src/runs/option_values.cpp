// SPDX-License-Identifier: Apache-2.0
// See option_values.hpp.
#include "runs/option_values.hpp"

#include <fmt/format.h>

#include "base/symbol.hpp"
#include "session/messages.hpp"
#include "value/print.hpp"

namespace chancel {

namespace {
struct ToValue {
  Value operator()(bool b) const { return Value::boolean(b); }
  Value operator()(std::int64_t i) const { return Value::integer(i); }
  Value operator()(double d) const { return Value::real(d); }
  Value operator()(const std::string& word) const { return Value::keyword(intern(word)); }
};

[[noreturn]] void bad_options(const std::string& message) {
  throw_error(Code::I002, message, "for example :number-of-particles 100",
              exit_code_of(Code::I002));
}
}  // namespace

Value option_value(const EngineOption& option) { return std::visit(ToValue{}, option.value); }

std::vector<EngineOption> read_engine_options(std::string_view edn) {
  ValueMaker maker;
  const auto items = maker.parse(fmt::format("[{}]", edn));
  if (!items) bad_options(fmt::format("the engine's options cannot be read: {}", edn));
  const std::vector<ValueView> all = items->items();
  if (all.size() % 2 != 0)
    bad_options("inference options must come in pairs of a keyword and a value");
  std::vector<EngineOption> out;
  for (std::size_t i = 0; i < all.size(); i += 2) {
    const ValueView& v = all[i + 1];
    if (all[i].kind() != ValueView::Kind::Keyword)
      bad_options(fmt::format("{} is not an option: options are keywords", all[i].print()));
    EngineOption& option = out.emplace_back(EngineOption{all[i].text(), {}});
    switch (v.kind()) {
      case ValueView::Kind::Boolean:
        option.value = v.boolean();
        break;
      case ValueView::Kind::Integer:
        option.value = v.integer();
        break;
      case ValueView::Kind::Real:
      case ValueView::Kind::Ratio:
      case ValueView::Kind::BigInteger:
        option.value = v.number();
        break;
      case ValueView::Kind::Keyword:
      case ValueView::Kind::Symbol:
      case ValueView::Kind::String:
        option.value = v.text();
        break;
      case ValueView::Kind::Vector:
        option.value = v.print();
        break;
      default:
        bad_options(fmt::format("option :{} must be a number, a word or a vector, got {}",
                                option.name, v.print()));
    }
  }
  return out;
}

std::string print_engine_options(const std::vector<EngineOption>& options) {
  std::string out;
  for (const EngineOption& o : options) {
    const auto* text = std::get_if<std::string>(&o.value);
    const bool vector = text && text->starts_with('[');
    out += fmt::format("{}:{} {}", out.empty() ? "" : " ", o.name,
                       vector ? *text : show(option_value(o)));
  }
  return out;
}

}  // namespace chancel
