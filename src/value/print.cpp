// SPDX-License-Identifier: Apache-2.0
// Printing, as Clojure does it. One walk over the value that appends to a string; what is open is
// kept in a list, so that any depth of nesting can be printed.
#include "value/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/double_text.hpp"
#include "base/utf8.hpp"
#include "diag/diagnostic.hpp"
#include "value/big_integer.hpp"
#include "value/classes.hpp"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/function_def.hpp"
#include "value/record.hpp"
#include "value/seq_walk.hpp"

namespace chancel {

namespace {

class Printer {
 public:
  Printer(NativeContext* cx, bool readable, std::size_t limit)
      : cx_(cx), readable_(readable), limit_(limit) {}

  // Bytes may run over the limit a little; the caller cuts them.
  void print(const Value& v) {
    value(v);
    while (!open_.empty() && !stopped()) {
      if (open_.back().kind == Open::Sequence)
        next_of_sequence();
      else
        next_part();
    }
  }

  std::string& out() { return out_; }

 private:
  // A value whose beginning has been printed.
  struct Open {
    enum Kind : std::uint8_t { Sequence, Entries, Items, Call };
    Kind kind;
    const char* close;
    SeqWalk walk{nullptr, Value::nil()};  // of a Sequence
    std::vector<Value> parts;             // of the others
    std::size_t printed = 0;
  };

  // The whole of a scalar, the beginning of anything else.
  void value(const Value& v) {
    if (cx_) keep_within_limits();
    switch (v.tag) {
      case Tag::Nil:
        out_ += "nil";
        break;
      case Tag::Bool:
        out_ += v.bits ? "true" : "false";
        break;
      case Tag::Int:
        fmt::format_to(std::back_inserter(out_), "{}", v.i);
        break;
      case Tag::Double:
        out_ += java_double_text(v.d);
        break;
      case Tag::Char:
        character(static_cast<std::uint32_t>(v.bits));
        break;
      case Tag::Keyword:
        out_ += ':';
        out_ += v.name->full;
        break;
      case Tag::Symbol:
      case Tag::Class:
        out_ += v.name->full;
        break;
      case Tag::Native:
        fmt::format_to(std::back_inserter(out_), "#<fn {}>", v.native->name);
        break;
      case Tag::String:
        string(string_view_of(v));
        break;
      case Tag::Ratio:
        out_ += integer_text(cx_, v.as<Ratio>()->numerator);
        out_ += '/';
        out_ += integer_text(cx_, v.as<Ratio>()->denominator);
        break;
      case Tag::BigInt:
        out_ += integer_text(cx_, v);
        if (v.o->aux != BigInt::kJava) out_ += 'N';
        break;
      case Tag::EmptyList:
      case Tag::Cons:
      case Tag::VectorSeq:
      case Tag::Range:
      case Tag::LazySeq:
        sequence(v, '(', ")");
        break;
      case Tag::Vector:
        sequence(v, '[', "]");
        break;
      case Tag::ArrayMap:
      case Tag::HashMap:
      case Tag::SortedMap:
        entries(v);
        break;
      case Tag::Set:
      case Tag::SortedSet:
        set(v);
        break;
      case Tag::Closure:
      case Tag::Memo:
        named("fn", v);
        break;
      case Tag::Query:
        named("query", v);
        break;
      case Tag::Dist: {
        const auto* d = v.as<Dist>();
        call(d->type->name, d->values, std::min(d->type->parameter_count, d->value_count));
        break;
      }
      case Tag::Process: {
        const auto* p = v.as<Process>();
        call(p->type->name, p->values, std::min(p->type->parameter_count, p->value_count));
        break;
      }
      case Tag::Record:
        record(v);
        break;
      case Tag::Exception:
        exception(v.as<Exception>());
        break;
      case Tag::Reduced:
        out_ += "#<reduced ";
        open_.push_back({.kind = Open::Items, .close = ">", .parts = {v.as<Reduced>()->value}});
        break;
      case Tag::Atom:
        out_ += "#<atom>";
        break;
      case Tag::Delay:
        out_ += "#<delay>";
        break;
      case Tag::Foreign:
        out_ += "#<foreign>";
        break;
      default:
        out_ += "#<internal>";
        break;
    }
  }

  // What is shared prints again on every path to it, so the text may be long where the value is
  // small.
  void keep_within_limits() {
    cx_->tick();
    const std::size_t used = out_.size() + open_.size() * sizeof(Open);
    if (used <= room_) return;
    room_ = 2 * used;
    cx_->room_for(3 * used);  // the old text and the next one
  }
  bool stopped() const { return out_.size() > limit_ || (cx_ && !cx_->ok()); }

  void character(std::uint32_t c) {
    if (!readable_) return append_utf8(out_, c);
    out_ += '\\';
    switch (c) {
      case '\n':
        out_ += "newline";
        break;
      case ' ':
        out_ += "space";
        break;
      case '\t':
        out_ += "tab";
        break;
      case '\r':
        out_ += "return";
        break;
      case '\f':
        out_ += "formfeed";
        break;
      case '\b':
        out_ += "backspace";
        break;
      default:
        append_utf8(out_, c);
    }
  }

  void string(std::string_view text) {
    if (!readable_) {
      out_ += text;
      return;
    }
    out_ += '"';
    for (const char c : text) {
      switch (c) {
        case '"':
          out_ += "\\\"";
          break;
        case '\\':
          out_ += "\\\\";
          break;
        case '\n':
          out_ += "\\n";
          break;
        case '\t':
          out_ += "\\t";
          break;
        case '\r':
          out_ += "\\r";
          break;
        case '\f':
          out_ += "\\f";
          break;
        case '\b':
          out_ += "\\b";
          break;
        default:
          out_ += c;
      }
    }
    out_ += '"';
  }

  void sequence(const Value& v, char open, const char* close) {
    out_ += open;
    open_.push_back({.kind = Open::Sequence, .close = close, .walk = SeqWalk(cx_, v), .parts = {}});
  }
  void next_of_sequence() {
    Open& top = open_.back();
    if (cx_ && is_endless(top.walk.at())) {
      cx_->fail(Code::R009, "printing: the sequence is infinite", -1,
                "take a part of it first, as in (take 10 xs)");
      return;
    }
    const SeqWalk::Step step = top.walk.next();
    if (step == SeqWalk::Step::End) return close();
    if (top.printed++ > 0) out_ += ' ';
    if (step == SeqWalk::Step::Item) return value(Value(top.walk.item()));
    if (cx_) cx_->need(top.walk.at(), true);
    out_ += "...";
    close();
  }

  void next_part() {
    Open& top = open_.back();
    const std::size_t at = top.printed++;
    if (at == top.parts.size()) return close();
    if (top.kind == Open::Entries && at > 0 && at % 2 == 0)
      out_ += ", ";
    else if (top.kind == Open::Call || at > 0)
      out_ += ' ';
    value(Value(top.parts[at]));
  }

  void close() {
    out_ += open_.back().close;
    open_.pop_back();
  }

  void entries(const Value& v) {
    out_ += '{';
    Open open{.kind = Open::Entries, .close = "}", .parts = {}};
    map_each(v, [&](const Value& key, const Value& item) {
      open.parts.push_back(key);
      open.parts.push_back(item);
    });
    open_.push_back(std::move(open));
  }

  void set(const Value& v) {
    out_ += "#{";
    Open open{.kind = Open::Items, .close = "}", .parts = {}};
    map_each(v, [&](const Value& item, const Value&) { open.parts.push_back(item); });
    open_.push_back(std::move(open));
  }

  void named(const char* kind, const Value& v) {
    out_ += fmt::format("#<{} {}>", kind, function_name(v));
  }

  void call(std::string_view name, const Value* arguments, std::size_t count) {
    out_ += '(';
    out_ += name;
    open_.push_back({.kind = Open::Call, .close = ")", .parts = {arguments, arguments + count}});
  }

  void record(const Value& v) {
    const auto* r = v.as<Record>();
    if (r->type->kind == RecordKind::Host) return host_object(r);
    if (r->type->kind != RecordKind::Plain)
      return call(r->type->name->full, r->fields, r->type->parameter_count);
    const Name* name = r->type->name;
    fmt::format_to(std::back_inserter(out_), "#{}.{}", name->ns.empty() ? "user" : name->ns,
                   name->base);
    entries(v);
  }

  // A regular expression prints as it is written; others say what they are.
  void host_object(const Record* r) {
    if (std::string_view(r->type->class_name) != "java.util.regex.Pattern") {
      out_ += fmt::format("#object[{} ", r->type->class_name);
      open_.push_back({.kind = Open::Items, .close = "]", .parts = {r->fields[0]}});
      return;
    }
    out_ += "#\"";
    bool escaped = false;
    for (const char c : string_view_of(r->fields[0])) {
      if (c == '"' && !escaped) out_ += '\\';
      escaped = c == '\\' && !escaped;
      out_ += c;
    }
    out_ += '"';
  }

  void exception(const Exception* e) {
    out_ += "#error {";
    Open open{.kind = Open::Entries,
              .close = "}",
              .parts = {Value::keyword(intern("message")), e->message}};
    if (!e->data.is_nil()) {
      open.parts.push_back(Value::keyword(intern("data")));
      open.parts.push_back(e->data);
    }
    open_.push_back(std::move(open));
  }

  NativeContext* cx_;
  bool readable_;
  std::size_t limit_;
  std::size_t room_ = std::size_t{1} << 16;
  std::string out_;
  std::vector<Open> open_;
};

}  // namespace

std::string print(NativeContext& cx, const Value& v, bool readable) {
  Printer printer(&cx, readable, ~std::size_t{0});
  printer.print(v);
  return std::move(printer.out());
}

std::string to_str(NativeContext& cx, const Value& v) {
  if (v.is_nil()) return {};
  if (v.is(Tag::BigInt)) return integer_text(&cx, v);
  if (v.is(Tag::Record) && v.as<Record>()->type->kind == RecordKind::Host)
    return print(cx, v.as<Record>()->fields[0], false);
  if (v.is(Tag::Class)) return (is_interface(v.name) ? "interface " : "class ") + v.name->full;
  if (v.is(Tag::Double) && !std::isfinite(v.d))
    return std::isnan(v.d) ? "NaN" : v.d > 0 ? "Infinity" : "-Infinity";
  return print(cx, v, !v.is(Tag::String) && !v.is(Tag::Char));
}

std::string function_name(const Value& function) {
  const Value& f = function.is(Tag::Memo) ? function.as<Memo>()->function : function;
  if (f.is(Tag::Native) && f.native) return f.native->name;
  const FunctionDef* const def = f.is(Tag::Closure) ? f.as<Closure>()->function
                                 : f.is(Tag::Query) ? f.as<Query>()->function
                                                    : nullptr;
  return def && def->name ? def->name->full : "anonymous";
}

std::string show(const Value& v, bool readable, std::size_t limit) {
  Printer printer(nullptr, readable, limit);
  printer.print(v);
  std::string& text = printer.out();
  if (text.size() > limit) {
    std::size_t end = limit > 3 ? limit - 3 : 0;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    text.resize(end);
    text += "...";
  }
  return std::move(text);
}

}  // namespace chancel
