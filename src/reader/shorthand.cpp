// SPDX-License-Identifier: Apache-2.0
// Syntax quote follows clojure.lang.LispReader.SyntaxQuoteReader; differs: symbols are not
// qualified but marked, since the reader knows no namespaces, and the functions used are plain names. The walks
// recurse; the reader bounds depth.
#include "reader/shorthand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "reader/reader.hpp"

namespace chancel {
namespace {

Datum call(const char* function, std::vector<Datum> arguments, Span span) {
  arguments.insert(arguments.begin(), make_symbol(function, span));
  return make_list(std::move(arguments), span);
}

Datum call(const char* function, Datum argument, Span span) {
  std::vector<Datum> items;
  items.push_back(make_symbol(function, span));
  items.push_back(std::move(argument));
  return make_list(std::move(items), span);
}

class SyntaxQuote {
 public:
  SyntaxQuote(Span span, DiagnosticSink& sink) : span_(span), sink_(sink) {}

  Datum expand(const Datum& form) {
    // Each level of brackets becomes three; what cannot fit is not worth walking.
    if (level_ > kMaxNesting / 3) {
      if (!too_deep_) {
        sink_.error(Code::S011, span_, "the expansion of a syntax quote is nested too deeply");
      }
      too_deep_ = true;
      return make_nil(form.span);
    }
    ++level_;
    Datum expanded = expand_one(form);
    --level_;
    return expanded;
  }

 private:
  Datum expand_one(const Datum& form) {
    if (form.is_list_headed("unquote") && form.items.size() == 2) return form.items[1];
    if (form.is_list_headed("unquote-splicing") && form.items.size() == 2) {
      sink_.error(Code::S012, form.span, "~@ stands outside a list, vector, map or set",
                  "there is nothing to splice into; write ~");
      return make_nil(form.span);
    }
    switch (form.kind) {
      case DatumKind::Symbol: {
        Datum symbol = renamed(form);
        symbol.text = Datum::kSyntaxQuoted;
        return call("quote", std::move(symbol), form.span);
      }
      case DatumKind::List:
        if (form.items.empty()) return call("list", std::vector<Datum>{}, form.span);
        return call("seq", concat(form), form.span);
      case DatumKind::Vector:
        return call("vec", concat(form), form.span);
      case DatumKind::Map:
        return apply("hash-map", form);
      case DatumKind::Set:
        return apply("hash-set", form);
      default:
        return form;
    }
  }

  Datum renamed(const Datum& symbol) {
    const Name* name = symbol.name;
    if (!name->ns.empty() || name->base.size() < 2 || name->base.back() != '#') return symbol;
    const std::string_view stem = name->base.substr(0, name->base.size() - 1);
    Datum made =
        make_symbol(fmt::format("{}__{}_{}__auto__", stem, span_.file, span_.begin), symbol.span);
    made.meta = symbol.meta;
    return made;
  }

  Datum concat(const Datum& form) {
    std::vector<Datum> parts;
    parts.reserve(form.items.size() + 1);
    parts.push_back(make_symbol("concat", form.span));
    for (const Datum& item : form.items) {
      if (item.is_list_headed("unquote-splicing") && item.items.size() == 2) {
        parts.push_back(item.items[1]);
      } else {
        parts.push_back(call("list", expand(item), item.span));
      }
    }
    return make_list(std::move(parts), form.span);
  }

  Datum apply(const char* function, const Datum& form) {
    std::vector<Datum> arguments;
    arguments.push_back(make_symbol(function, form.span));
    arguments.push_back(call("seq", concat(form), form.span));
    return call("apply", std::move(arguments), form.span);
  }

  Span span_;
  DiagnosticSink& sink_;
  int level_ = 0;
  bool too_deep_ = false;
};

constexpr int kRest = -1;           // %&
constexpr int kMaxParameters = 20;  // as in Clojure

class FnLiteral {
 public:
  FnLiteral(Span span, DiagnosticSink& sink) : span_(span), sink_(sink) {}

  Datum expand(Datum body) {
    rewrite(body);
    std::vector<Datum> parameters;
    const int count = uses_.empty() ? 0 : std::max(0, uses_.rbegin()->first);
    for (int i = 1; i <= count; ++i) {
      const auto use = uses_.find(i);
      parameters.push_back(make_symbol(name_of(i), use != uses_.end() ? use->second : span_));
    }
    if (const auto rest = uses_.find(kRest); rest != uses_.end()) {
      parameters.push_back(make_symbol("&", rest->second));
      parameters.push_back(make_symbol(name_of(kRest), rest->second));
    }
    std::vector<Datum> items;
    items.push_back(make_symbol("fn*", {span_.file, span_.begin, span_.begin + 1}));
    items.push_back(make_vector(std::move(parameters), body.span));
    items.push_back(std::move(body));
    return make_list(std::move(items), span_);
  }

 private:
  std::string name_of(int parameter) const {
    if (parameter == kRest) return fmt::format("rest__{}_{}#", span_.file, span_.begin);
    return fmt::format("p{}__{}_{}#", parameter, span_.file, span_.begin);
  }

  void rewrite(Datum& datum) {
    if (datum.kind == DatumKind::Symbol && datum.name->full[0] == '%') {
      const std::optional<int> parameter = parameter_of(datum);
      if (!parameter) return;
      uses_.try_emplace(*parameter, datum.span);
      datum.name = intern(name_of(*parameter));
      return;
    }
    for (Datum& item : datum.items) rewrite(item);
  }

  std::optional<int> parameter_of(const Datum& symbol) {
    const std::string_view digits = std::string_view(symbol.name->full).substr(1);
    if (digits.empty()) return 1;
    if (digits == "&") return kRest;
    int number = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (parsed.ec == std::errc{} && parsed.ptr == digits.data() + digits.size() && number >= 1 &&
        number <= kMaxParameters) {
      return number;
    }
    sink_.error(Code::S012, symbol.span,
                symbol.name->full + " is not a parameter of a #(...) function",
                "parameters are %, %1 to %20 and %&");
    return std::nullopt;
  }

  Span span_;
  DiagnosticSink& sink_;
  std::map<int, Span> uses_;  // parameter -> where it is first used
};

}  // namespace

Datum expand_syntax_quote(const Datum& form, Span span, DiagnosticSink& sink) {
  return SyntaxQuote(span, sink).expand(form);
}

Datum expand_fn_literal(Datum body, Span span, DiagnosticSink& sink) {
  return FnLiteral(span, sink).expand(std::move(body));
}

int nesting_of(const Datum& datum) {
  const bool collection = datum.kind >= DatumKind::List;
  int deepest = 0;
  for (const Datum& item : datum.items) deepest = std::max(deepest, nesting_of(item));
  return collection ? deepest + 1 : 0;
}

}  // namespace chancel
