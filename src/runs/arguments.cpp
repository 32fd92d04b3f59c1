// SPDX-License-Identifier: Apache-2.0
#include "runs/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "value/collections.hpp"
#include "value/print.hpp"

namespace chancel {

namespace {

std::string name_of(const Value& key) {
  if (key.is(Tag::Keyword) || key.is(Tag::Symbol)) return key.name->full;
  if (key.is(Tag::String)) return std::string(string_view_of(key));
  return show(key);
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

class Binder {
 public:
  Binder(Session& session, const QuerySignature& query, DiagnosticSink& notes)
      : session_(session), query_(query), notes_(notes), arena_(session.machine().arena()) {
    for (const QueryParameter& p : query.parameters) {
      names_.push_back(p.name);
      list_ += (list_.empty() ? "" : " ") + std::string(p.rest ? "& " : "") + p.name;
      has_rest_ = has_rest_ || p.rest;
    }
    required_ = names_.size() - (has_rest_ ? 1 : 0);
  }

  std::optional<Value> bind(const std::optional<Value>& given) {
    if (!given) return required_ == 0 ? Value::nil() : nothing_given();
    if (is_map(*given) && !names_.empty()) return by_name(*given);
    if (given->is(Tag::Vector)) {
      const auto* items = given->as<Vector>();
      if (are_records(items)) return by_name(columns_of(items));
      return by_place(*given, items->count);
    }
    if (given->is(Tag::EmptyList)) return by_place(*given, 0);
    if (is_sequential(*given)) return by_place(*given, length_of(*given));
    if (given->is_nil()) return by_place(*given, 0);
    if (required_ > 1 || names_.empty()) return by_place(*given, 1);
    return make_vector(arena_, &*given, 1);
  }

 private:
  std::optional<Value> nothing_given() {
    session_.diagnostics().error(
        Code::U003, query_.span,
        fmt::format("the query {} needs a value for {}", query_.name->full, joined(names_)),
        fmt::format("use --value '[...]', --data FILE, or define {}-value in the file",
                    query_.name->full));
    return std::nullopt;
  }

  // A sequence that is not yet realised cannot be counted here: the query takes it apart.
  std::size_t length_of(const Value& seq) {
    NativeContext cx(arena_);
    std::size_t count = 0;
    for (SeqCursor at(cx, seq, "--value", 0); at.next();) ++count;
    return cx.ok() ? count : required_;
  }

  std::optional<Value> by_place(const Value& given, std::size_t count) {
    if (count >= required_ && (has_rest_ || count <= required_)) return given;
    Diagnostic& d = session_.diagnostics().error(
        Code::U003, query_.span,
        fmt::format("the query {} takes {} argument{}, got {}", query_.name->full,
                    has_rest_        ? fmt::format("at least {}", required_)
                    : required_ == 0 ? std::string("no")
                                     : fmt::format("{}", required_),
                    required_ == 1 ? "" : "s", count));
    d.hint = fmt::format("its parameters are [{}]", list_);
    if (required_ == 1 && count > 1)
      d.hint += fmt::format("; one argument that is a vector stands in a vector: [{}]",
                            show(given, true, 20));
    return std::nullopt;
  }

  // Records are what names bind to; a vector of maps may also be arguments by place, when their
  // keys are not the parameters.
  bool are_records(const Vector* items) const {
    if (items->count == 0 || required_ == 0) return false;
    for (std::uint32_t i = 0; i < items->count; ++i)
      if (!is_map(vector_nth(items, i))) return false;
    std::size_t found = 0;
    map_each(vector_nth(items, 0), [&](const Value& key, const Value&) {
      const auto at = std::find(names_.begin(), names_.end(), name_of(key));
      found += at != names_.end() ? 1 : 0;
    });
    return found > 0;
  }

  // Names in the order in which they first come; nil where a record lacks one.
  Value columns_of(const Vector* records) {
    std::vector<Value> keys;
    std::vector<std::vector<Value>> columns;
    for (std::uint32_t r = 0; r < records->count; ++r) {
      std::size_t hint = 0;  // most records have the same keys in the same order
      map_each(vector_nth(records, r), [&](const Value& key, const Value& value) {
        std::size_t k = hint;
        if (k >= keys.size() || name_of(keys[k]) != name_of(key))
          for (k = 0; k < keys.size() && name_of(keys[k]) != name_of(key);) ++k;
        if (k == keys.size()) {
          keys.push_back(key);
          columns.emplace_back(records->count, Value::nil());
        }
        columns[k][r] = value;
        hint = k + 1;
      });
    }
    Value map = empty_map(arena_);
    for (std::size_t k = 0; k < keys.size(); ++k)
      map = map_assoc(arena_, map, keys[k],
                      make_vector(arena_, columns[k].data(), columns[k].size()));
    return map;
  }

  std::optional<Value> by_name(const Value& map) {
    std::vector<Value> values(names_.size(), Value::nil());
    std::vector<bool> given(names_.size(), false);
    std::vector<std::string> others;
    map_each(map, [&](const Value& key, const Value& value) {
      const std::string name = name_of(key);
      const auto at = std::find(names_.begin(), names_.end(), name);
      if (at == names_.end()) {
        others.push_back(name);
        return;
      }
      values[static_cast<std::size_t>(at - names_.begin())] = value;
      given[static_cast<std::size_t>(at - names_.begin())] = true;
    });
    bool ok = true;
    for (std::size_t i = 0; i < required_; ++i) {
      if (given[i]) continue;
      ok = false;
      const std::string guess = did_you_mean(names_[i], others);
      session_.diagnostics().error(
          Code::U003, {},
          fmt::format("the data has no {}, which the query {} needs", names_[i], query_.name->full),
          (guess.empty() ? "" : fmt::format("is it {}? ", guess)) + "the query takes " +
              joined(names_));
    }
    if (!ok) return std::nullopt;
    if (!others.empty()) {
      std::sort(others.begin(), others.end());
      notes_.warning(Code::U003, {},
                     fmt::format("the data has {}, which the query {} does not take: left out",
                                 joined(others), query_.name->full),
                     "it takes " + joined(names_));
    }
    // The rest parameter, when it is named, is the arguments themselves.
    if (has_rest_) {
      const Value rest = values.back();
      values.pop_back();
      if (is_sequential(rest)) {
        NativeContext cx(arena_);
        for (SeqCursor at(cx, rest, "--data", 0); at.next();) values.push_back(at.item());
      }
    }
    return make_vector(arena_, values.data(), values.size());
  }

  Session& session_;
  const QuerySignature& query_;
  DiagnosticSink& notes_;
  Arena& arena_;
  std::vector<std::string> names_;
  std::string list_;  // as the query writes them
  bool has_rest_ = false;
  std::size_t required_ = 0;
};

}  // namespace

std::optional<Value> bind_arguments(Session& session, const QuerySignature& query,
                                    const std::optional<Value>& given, DiagnosticSink& notes) {
  if (query.whole_value && given) return given;
  return Binder(session, query, notes).bind(given);
}

}  // namespace chancel
