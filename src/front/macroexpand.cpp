// SPDX-License-Identifier: Apache-2.0
// What macroexpand shows for the macros of the language: the same as Clojure, up to the names of
// variables that a macro makes up. The front end itself does not go this way: its forms become core
// at once, which keeps places in the source and costs less.
#include <fmt/format.h>

#include "front/translator.hpp"

namespace chancel::front {

namespace {

using Items = std::vector<Datum>;

// Builds data at one place.
class Expander {
 public:
  explicit Expander(const Datum& form) : form_(form), span_(form.span) {}

  std::optional<Datum> expand(const std::string& head) {
    static const std::unordered_map<std::string, Datum (Expander::*)()> kMacros = {
        {"when", &Expander::when},
        {"when-not", &Expander::when_not},
        {"if-not", &Expander::if_not},
        {"cond", &Expander::cond},
        {"and", &Expander::both},
        {"or", &Expander::either},
        {"->", &Expander::thread_first},
        {"->>", &Expander::thread_last},
        {"as->", &Expander::thread_as},
        {"doto", &Expander::doto},
        {"..", &Expander::dots},
        {"if-let", &Expander::if_let},
        {"when-let", &Expander::when_let},
        {"if-some", &Expander::if_some},
        {"when-some", &Expander::when_some},
        {"while", &Expander::while_loop},
        {"dotimes", &Expander::dotimes},
        {"comment", &Expander::nothing},
        {"let", &Expander::renamed},
        {"loop", &Expander::renamed},
        {"fn", &Expander::function},
        {"defn", &Expander::define_function},
        {"defn-", &Expander::define_function},
        {"defm", &Expander::define_function},
        {"defquery", &Expander::define_query},
        {"lazy-seq", &Expander::lazy_seq},
        {"delay", &Expander::delay},
        {"assert", &Expander::assertion},
    };
    const auto found = kMacros.find(head);
    if (found == kMacros.end()) return std::nullopt;
    Datum made = (this->*found->second)();
    if (bad_) return std::nullopt;
    return made;
  }

 private:
  Datum sym(const char* name) const { return make_symbol(name, span_); }
  Datum list(Items items) const { return make_list(std::move(items), span_); }
  Datum vec(Items items) const { return make_vector(std::move(items), span_); }
  // items[i]; what is not there makes the form one that no macro takes.
  Datum at(std::size_t i) {
    bad_ = bad_ || i >= form_.items.size();
    return bad_ ? make_nil(span_) : form_.items[i];
  }
  Items from(std::size_t i) const {
    if (i >= form_.items.size()) return {};
    return {form_.items.begin() + static_cast<std::ptrdiff_t>(i), form_.items.end()};
  }
  Datum headed(const char* head, Items rest) const {
    rest.insert(rest.begin(), sym(head));
    return list(std::move(rest));
  }
  // A variable that the expansion makes up.
  Datum made_up(const char* name) const {
    return make_symbol(fmt::format("{}__{}__auto__", name, form_.span.begin), span_);
  }

  Datum when() { return list({sym("if"), at(1), headed("do", from(2))}); }
  Datum when_not() { return list({sym("if"), at(1), make_nil(span_), headed("do", from(2))}); }
  Datum if_not() {
    Datum otherwise = form_.items.size() > 3 ? at(3) : make_nil(span_);
    return list({sym("if"), list({sym("clojure.core/not"), at(1)}), at(2), std::move(otherwise)});
  }
  Datum cond() {
    if (form_.items.size() == 1) return make_nil(span_);
    return list({sym("if"), at(1), at(2), headed("clojure.core/cond", from(3))});
  }
  Datum both() {
    if (form_.items.size() == 1) return make_bool(true, span_);
    if (form_.items.size() == 2) return at(1);
    const Datum x = made_up("and");
    return list({sym("clojure.core/let"), vec({x, at(1)}),
                 list({sym("if"), x, headed("clojure.core/and", from(2)), x})});
  }
  Datum either() {
    if (form_.items.size() == 1) return make_nil(span_);
    if (form_.items.size() == 2) return at(1);
    const Datum x = made_up("or");
    return list({sym("clojure.core/let"), vec({x, at(1)}),
                 list({sym("if"), x, x, headed("clojure.core/or", from(2))})});
  }
  Datum thread(bool first) {
    Datum x = at(1);
    for (std::size_t i = 2; i < form_.items.size(); ++i) {
      Datum step = form_.items[i];
      if (!step.is(DatumKind::List) || step.items.empty()) step = list({step});
      step.items.insert(first ? step.items.begin() + 1 : step.items.end(), std::move(x));
      x = std::move(step);
    }
    return x;
  }
  Datum thread_first() { return thread(true); }
  Datum thread_last() { return thread(false); }
  Datum thread_as() {
    const Datum name = at(2);
    Items bindings = {name, at(1)};
    for (std::size_t i = 3; i + 1 < form_.items.size(); ++i) {
      bindings.push_back(name);
      bindings.push_back(form_.items[i]);
    }
    Datum last = form_.items.size() > 3 ? form_.items.back() : name;
    return list({sym("clojure.core/let"), vec(std::move(bindings)), std::move(last)});
  }
  Datum doto() {
    const Datum x = made_up("G");
    Items body = {vec({x, at(1)})};
    for (std::size_t i = 2; i < form_.items.size(); ++i) {
      Datum step = form_.items[i];
      if (!step.is(DatumKind::List) || step.items.empty()) step = list({step});
      step.items.insert(step.items.begin() + 1, x);
      body.push_back(std::move(step));
    }
    body.push_back(x);
    return headed("clojure.core/let", std::move(body));
  }
  Datum dots() {
    Datum inner = list({sym("."), at(1), at(2)});
    if (form_.items.size() == 3) return inner;
    Items rest = from(3);
    rest.insert(rest.begin(), std::move(inner));
    return headed("..", std::move(rest));
  }
  // (if-let [x e] then else), (when-let [x e] body ...) and the same for some.
  Datum test_let(bool some, bool whole) {
    const Datum bindings = at(1);
    bad_ = bad_ || bindings.items.size() != 2;
    if (bad_) return bindings;
    const Datum temp = made_up("temp");
    const Datum inner = vec({bindings.items[0], temp});
    const Datum outer = vec({temp, bindings.items[1]});
    if (!whole) {
      Items body = from(2);
      body.insert(body.begin(), inner);
      Datum let = headed("clojure.core/let", std::move(body));
      return list({sym("clojure.core/let"), outer,
                   some ? list({sym("if"), list({sym("clojure.core/nil?"), temp}), make_nil(span_),
                                std::move(let)})
                        : list({sym("clojure.core/when"), temp, std::move(let)})});
    }
    Datum then = list({sym("clojure.core/let"), inner, at(2)});
    Datum otherwise = form_.items.size() > 3 ? at(3) : make_nil(span_);
    return list({sym("clojure.core/let"), outer,
                 some ? list({sym("if"), list({sym("clojure.core/nil?"), temp}),
                              std::move(otherwise), std::move(then)})
                      : list({sym("if"), temp, std::move(then), std::move(otherwise)})});
  }
  Datum if_let() { return test_let(false, true); }
  Datum when_let() { return test_let(false, false); }
  Datum if_some() { return test_let(true, true); }
  Datum when_some() { return test_let(true, false); }
  Datum while_loop() {
    Items body = from(2);
    body.insert(body.begin(), at(1));
    body.push_back(list({sym("recur")}));
    return list({sym("clojure.core/loop"), vec({}), headed("clojure.core/when", std::move(body))});
  }
  Datum dotimes() {
    const Datum bindings = at(1);
    bad_ = bad_ || bindings.items.size() != 2;
    if (bad_) return bindings;
    const Datum i = bindings.items[0];
    const Datum n = made_up("n");
    Items body = from(2);
    body.insert(body.begin(), list({sym("clojure.core/<"), i, n}));
    body.push_back(list({sym("recur"), list({sym("clojure.core/unchecked-inc"), i})}));
    return list({sym("clojure.core/let"),
                 vec({n, list({sym("clojure.core/long"), bindings.items[1]})}),
                 list({sym("clojure.core/loop"), vec({i, make_int(0, span_)}),
                       headed("clojure.core/when", std::move(body))})});
  }
  Datum nothing() { return make_nil(span_); }
  Datum renamed() {
    Datum out = form_;
    out.items[0] = make_symbol(std::string(form_.items[0].name->base) + "*", form_.items[0].span);
    return out;
  }
  // ([params] body ...) from [params] body ...; several arities stay.
  Items arities(Items parts) const {
    if (parts.empty() || !parts[0].is(DatumKind::Vector)) return parts;
    return {list(std::move(parts))};
  }
  Datum function() {
    const bool named = form_.items.size() > 1 && form_.items[1].is(DatumKind::Symbol);
    Items parts = arities(from(named ? 2 : 1));
    if (named) parts.insert(parts.begin(), at(1));
    return headed("fn*", std::move(parts));
  }
  Datum define_function() {
    std::size_t i = 2;
    if (i + 1 < form_.items.size() && form_.items[i].is(DatumKind::String)) ++i;
    if (i + 1 < form_.items.size() && form_.items[i].is(DatumKind::Map)) ++i;
    const bool anglican = form_.items[0].name->base == "defm";
    return list({sym("def"), at(1),
                 headed(anglican ? "anglican.emit/fm" : "clojure.core/fn", arities(from(i)))});
  }
  Datum define_query() {
    std::size_t i = 2;
    if (form_.items.size() > 3 && form_.items[i].is(DatumKind::String)) ++i;
    Items parts = from(i);
    parts.insert(parts.begin(), at(1));
    return list({sym("def"), at(1), headed("anglican.emit/query", std::move(parts))});
  }
  Datum thunk_of(const char* type) {
    Items body = from(1);
    body.insert(body.begin(), vec({}));
    return list({sym("new"), sym(type), headed("fn*", std::move(body))});
  }
  Datum lazy_seq() { return thunk_of("clojure.lang.LazySeq"); }
  Datum delay() { return thunk_of("clojure.lang.Delay"); }
  Datum assertion() {
    return list(
        {sym("clojure.core/when-not"), at(1),
         list({sym("throw"),
               list({sym("new"), sym("java.lang.AssertionError"),
                     list({sym("clojure.core/str"), make_string("Assert failed: ", span_),
                           list({sym("clojure.core/pr-str"), list({sym("quote"), at(1)})})})})})});
  }

  const Datum& form_;
  Span span_;
  bool bad_ = false;
};

}  // namespace

std::optional<Datum> Translator::expand_once(const Datum& form) {
  if (!form.is(DatumKind::List) || form.items.empty() || !form.items[0].is(DatumKind::Symbol))
    return std::nullopt;
  const Name* head = form.items[0].name;
  const Name* global = names.resolve(head);
  if (global != nullptr && !names.defined(global) && names.globals().is_macro(global))
    return names.globals().expand(global, form, sink);
  const Name* language = names.form(head);
  if (language == nullptr || (head->ns.empty() && names.defined(head)) ||
      forms->count(language) == 0)
    return std::nullopt;
  return Expander(form).expand(std::string(language->full));
}

}  // namespace chancel::front
