// SPDX-License-Identifier: Apache-2.0
// Printing, as Clojure does it. One walk over the value that appends to a string; sequences are
// iterated, only nesting recurses, to kDepth levels at most.
#include "value/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/double_text.hpp"
#include "base/utf8.hpp"
#include "diag/diagnostic.hpp"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/record.hpp"
#include "value/seq_walk.hpp"

namespace chancel {

std::string (*function_name_hook)(const Value& function) = nullptr;

namespace {

constexpr int kDepth = 500;

class Printer {
 public:
  Printer(NativeContext* cx, bool readable, std::size_t limit)
      : cx_(cx), readable_(readable), limit_(limit) {}

  // Bytes may run over the limit a little; the caller cuts them.
  void value(const Value& v, int depth) {
    if (stopped()) return;
    if (cx_) keep_within_limits();
    if (depth > kDepth) {
      out_ += "...";
      return;
    }
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
        out_ += double_to_text(v.d);
        break;
      case Tag::Char:
        character(static_cast<std::uint32_t>(v.bits));
        break;
      case Tag::Keyword:
        out_ += ':';
        out_ += v.name->full;
        break;
      case Tag::Symbol:
        out_ += v.name->full;
        break;
      case Tag::Native:
        fmt::format_to(std::back_inserter(out_), "#<fn {}>", v.native->name);
        break;
      case Tag::String:
        string(string_view_of(v));
        break;
      case Tag::Ratio:
        fmt::format_to(std::back_inserter(out_), "{}/{}", v.as<Ratio>()->numerator,
                       v.as<Ratio>()->denominator);
        break;
      case Tag::EmptyList:
      case Tag::Cons:
      case Tag::VectorSeq:
      case Tag::Range:
      case Tag::LazySeq:
        sequence(v, '(', ')', depth);
        break;
      case Tag::Vector:
        sequence(v, '[', ']', depth);
        break;
      case Tag::ArrayMap:
      case Tag::HashMap:
      case Tag::SortedMap:
        entries(v, depth);
        break;
      case Tag::Set:
      case Tag::SortedSet:
        set(v, depth);
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
        call(d->type->name, d->values, std::min(d->type->parameter_count, d->value_count), depth);
        break;
      }
      case Tag::Process: {
        const auto* p = v.as<Process>();
        call(p->type->name, p->values, std::min(p->type->parameter_count, p->value_count), depth);
        break;
      }
      case Tag::Record:
        record(v, depth);
        break;
      case Tag::Exception:
        exception(v.as<Exception>(), depth);
        break;
      case Tag::Reduced:
        out_ += "#<reduced ";
        value(v.as<Reduced>()->value, depth + 1);
        out_ += '>';
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

  std::string& out() { return out_; }

 private:
  // What is shared prints again on every path to it, so the text may be long where the value is
  // small.
  void keep_within_limits() {
    cx_->tick();
    if (out_.size() <= room_) return;
    room_ = 2 * out_.size();
    cx_->room_for(3 * out_.size());  // the old text and the next one
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

  void sequence(const Value& v, char open, char close, int depth) {
    out_ += open;
    SeqWalk walk(cx_, v);
    for (bool first = true;; first = false) {
      if (cx_ && is_endless(walk.at())) {
        cx_->fail(Code::R009, "printing: the sequence is infinite", -1,
                  "take a part of it first, as in (take 10 xs)");
        return;
      }
      const SeqWalk::Step step = walk.next();
      if (step == SeqWalk::Step::End || stopped()) break;
      if (!first) out_ += ' ';
      if (step == SeqWalk::Step::Blocked) {
        if (cx_) cx_->need(walk.at(), true);
        out_ += "...";
        break;
      }
      value(walk.item(), depth + 1);
    }
    out_ += close;
  }

  void entries(const Value& v, int depth) {
    out_ += '{';
    bool first = true;
    map_each(v, [&](const Value& key, const Value& item) {
      if (stopped()) return;
      if (!first) out_ += ", ";
      first = false;
      value(key, depth + 1);
      out_ += ' ';
      value(item, depth + 1);
    });
    out_ += '}';
  }

  void set(const Value& v, int depth) {
    out_ += "#{";
    bool first = true;
    map_each(v, [&](const Value& item, const Value&) {
      if (stopped()) return;
      if (!first) out_ += ' ';
      first = false;
      value(item, depth + 1);
    });
    out_ += '}';
  }

  void named(const char* kind, const Value& v) {
    const std::string name = function_name_hook ? function_name_hook(v) : std::string();
    out_ += fmt::format("#<{}{}{}>", kind, name.empty() ? "" : " ", name);
  }

  void call(std::string_view name, const Value* arguments, std::size_t count, int depth) {
    out_ += '(';
    out_ += name;
    for (std::size_t i = 0; i < count; ++i) {
      out_ += ' ';
      value(arguments[i], depth + 1);
    }
    out_ += ')';
  }

  void record(const Value& v, int depth) {
    const auto* r = v.as<Record>();
    if (r->type->kind != RecordKind::Plain)
      return call(r->type->name->full, r->fields, r->type->parameter_count, depth);
    const Name* name = r->type->name;
    fmt::format_to(std::back_inserter(out_), "#{}.{}", name->ns.empty() ? "user" : name->ns,
                   name->base);
    entries(v, depth);
  }

  void exception(const Exception* e, int depth) {
    out_ += "#error {:message ";
    value(e->message, depth + 1);
    if (!e->data.is_nil()) {
      out_ += ", :data ";
      value(e->data, depth + 1);
    }
    out_ += '}';
  }

  NativeContext* cx_;
  bool readable_;
  std::size_t limit_;
  std::size_t room_ = std::size_t{1} << 16;
  std::string out_;
};

}  // namespace

std::string double_to_text(double d) { return java_double_text(d); }

std::string print(NativeContext& cx, const Value& v, bool readable) {
  Printer printer(&cx, readable, ~std::size_t{0});
  printer.value(v, 0);
  return std::move(printer.out());
}

std::string to_str(NativeContext& cx, const Value& v) {
  if (v.is_nil()) return {};
  if (v.is(Tag::Double) && !std::isfinite(v.d))
    return std::isnan(v.d) ? "NaN" : v.d > 0 ? "Infinity" : "-Infinity";
  return print(cx, v, !v.is(Tag::String) && !v.is(Tag::Char));
}

std::string show(const Value& v, bool readable, std::size_t limit) {
  Printer printer(nullptr, readable, limit);
  printer.value(v, 0);
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
