// SPDX-License-Identifier: Apache-2.0
// Core as text for `chancel dump --stage=core`, tests and us. One line while it fits, else one line
// a part. Locals print with the number of their binding (x.12), constants that are not plain
// literals with a quote.
#include <fmt/format.h>

#include "core/children.hpp"
#include "core/core.hpp"
#include "value/print.hpp"

namespace chancel::core {

namespace {

constexpr std::size_t kWidth = 96;
// Deeper levels are left out, which bounds the printer's own stack.
constexpr int kMaxPrintedDepth = 400;

// A tree of texts: laid out on one line if it fits, otherwise children are indented below the head.
struct Text {
  std::string head;
  std::vector<Text> parts;
  char open = '(', close = ')';
  bool leaf = true;
  std::size_t width = 0;
};

Text leaf(std::string text) {
  Text t;
  t.width = text.size();
  t.head = std::move(text);
  return t;
}

Text group(std::string head, std::vector<Text> parts, char open = '(', char close = ')') {
  Text t;
  t.leaf = false;
  t.width = head.size() + 2;
  for (const Text& part : parts) t.width += part.width + 1;
  t.head = std::move(head);
  t.parts = std::move(parts);
  t.open = open;
  t.close = close;
  return t;
}

std::string name_of(const Binding* binding) {
  return binding == nullptr ? "?" : fmt::format("{}.{}", binding->name->full, binding->id);
}

Text describe(const Node* node);

Text pairs(const std::vector<std::pair<const Binding*, Node*>>& bindings) {
  std::vector<Text> parts;
  for (const auto& [binding, value] : bindings)
    parts.push_back(group(name_of(binding), {describe(value)}, ' ', ' '));
  return group("", std::move(parts), '[', ']');
}

Text describe_lambda(const Lambda* lambda) {
  std::string head = lambda->is_query ? "query" : "fn";
  if (lambda->name != nullptr) head += " " + lambda->name->full;
  if (lambda->self != nullptr) head += " self=" + name_of(lambda->self);
  std::vector<Text> arities;
  for (const Arity& arity : lambda->arities) {
    std::string params = "[";
    for (const Binding* param : arity.params)
      params += (params.size() > 1 ? " " : "") + name_of(param);
    if (arity.rest != nullptr) params += (params.size() > 1 ? " & " : "& ") + name_of(arity.rest);
    params += "]";
    if (lambda->arities.size() == 1) return group(head + " " + params, {describe(arity.body)});
    arities.push_back(group(params, {describe(arity.body)}));
  }
  return group(head, std::move(arities));
}

Text describe_constant(const Value& value) {
  std::string text = show(value, true, 2000);
  const bool quoted = value.is(Tag::Symbol) || value.is(Tag::Cons) || value.is(Tag::EmptyList) ||
                      value.is(Tag::VectorSeq);
  return leaf(quoted ? "'" + text : text);
}

std::vector<Text> describe_all(const std::vector<Node*>& nodes) {
  std::vector<Text> parts;
  for (const Node* node : nodes) parts.push_back(describe(node));
  return parts;
}

Text describe_parts(const Node* node);

thread_local int printed_depth = 0;

Text describe(const Node* node) {
  if (node == nullptr) return leaf("<null>");
  if (printed_depth >= kMaxPrintedDepth) return leaf("...");
  ++printed_depth;
  Text text = describe_parts(node);
  --printed_depth;
  return text;
}

Text describe_parts(const Node* node) {
  switch (node->kind) {
    case Kind::Const:
      return describe_constant(as<Const>(node)->value);
    case Kind::Local:
      return leaf(name_of(as<Local>(node)->binding));
    case Kind::Global:
      return leaf(as<Global>(node)->name->full);
    case Kind::Lambda:
      return describe_lambda(as<Lambda>(node));
    case Kind::Let:
      return group("let", {pairs(as<Let>(node)->bindings), describe(as<Let>(node)->body)});
    case Kind::Fix: {
      std::vector<Text> functions;
      for (const auto& [binding, function] : as<Fix>(node)->functions)
        functions.push_back(group(name_of(binding), {describe(function)}, ' ', ' '));
      return group("fix",
                   {group("", std::move(functions), '[', ']'), describe(as<Fix>(node)->body)});
    }
    case Kind::Loop:
      return group("loop", {pairs(as<Loop>(node)->bindings), describe(as<Loop>(node)->body)});
    case Kind::Recur:
      return group("recur", describe_all(as<Recur>(node)->args));
    case Kind::If:
      return group("if", {describe(as<If>(node)->test), describe(as<If>(node)->then),
                          describe(as<If>(node)->otherwise)});
    case Kind::Do:
      return group("do", describe_all(as<Do>(node)->body));
    case Kind::Call: {
      const Call* call = as<Call>(node);
      Text function = describe(call->function);
      std::vector<Text> args = describe_all(call->args);
      if (function.leaf) return group(function.head, std::move(args));
      args.insert(args.begin(), std::move(function));
      return group("", std::move(args));
    }
    case Kind::Sample: {
      const Sample* sample = as<Sample>(node);
      std::vector<Text> parts;
      if (sample->id != nullptr) parts.push_back(describe(sample->id));
      parts.push_back(describe(sample->dist));
      return group("sample", std::move(parts));
    }
    case Kind::Observe: {
      const Observe* observe = as<Observe>(node);
      std::vector<Text> parts;
      if (observe->id != nullptr) parts.push_back(describe(observe->id));
      parts.push_back(describe(observe->dist));
      parts.push_back(describe(observe->value));
      return group("observe", std::move(parts));
    }
    case Kind::Predict:
      return group("predict",
                   {describe(as<Predict>(node)->label), describe(as<Predict>(node)->value)});
    case Kind::Catch:
      return group("catch", {describe(as<Catch>(node)->tag), describe(as<Catch>(node)->body)});
    case Kind::Throw: {
      std::vector<Text> parts;
      if (as<Throw>(node)->tag != nullptr) parts.push_back(describe(as<Throw>(node)->tag));
      parts.push_back(describe(as<Throw>(node)->value));
      return group("throw", std::move(parts));
    }
    case Kind::Try: {
      const Try* attempt = as<Try>(node);
      std::vector<Text> parts = {describe(attempt->body)};
      if (attempt->handler != nullptr)
        parts.push_back(group("catch", {describe(attempt->handler)}));
      if (attempt->finally != nullptr)
        parts.push_back(group("finally", {describe(attempt->finally)}));
      return group("try", std::move(parts));
    }
    case Kind::Def:
      if (as<Def>(node)->value == nullptr) return group("declare " + as<Def>(node)->name->full, {});
      return group("def " + as<Def>(node)->name->full, {describe(as<Def>(node)->value)});
  }
  return leaf("<unknown>");
}

void lay_out(const Text& text, std::size_t indent, std::string& out) {
  if (text.leaf) {
    out += text.head;
    return;
  }
  const bool bracketed = text.open != ' ';
  if (bracketed) out += text.open;
  out += text.head;
  bool first = text.head.empty();
  const bool broken = indent + text.width > kWidth;
  for (const Text& part : text.parts) {
    // A name stays on the line of its value; everything else goes below.
    if (!first && broken && bracketed) {
      out += "\n" + std::string(indent + (text.open == '[' ? 1 : 2), ' ');
    } else if (!first) {
      out += " ";
    }
    lay_out(part, indent + 2, out);
    first = false;
  }
  if (bracketed) out += text.close;
}

}  // namespace

std::string print(const Node* node) {
  std::string out;
  lay_out(describe(node), 0, out);
  return out;
}

}  // namespace chancel::core
