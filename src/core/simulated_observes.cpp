// SPDX-License-Identifier: Apache-2.0
// See simulated_observes.hpp.
#include "core/simulated_observes.hpp"

#include <fmt/format.h>

#include "core/children.hpp"
#include "value/collections.hpp"

namespace chancel {

namespace {

using namespace core;

// Makes nodes at one place of the text.
class Maker {
 public:
  Maker(NodeArena& nodes, Arena& constants, Span span)
      : nodes_(nodes), constants_(constants), span_(span) {}

  Node* constant(Value v) { return nodes_.make<Const>(span_, v); }
  Node* number(std::size_t n) { return constant(Value::integer(static_cast<std::int64_t>(n))); }
  Node* symbol(const char* name) { return constant(Value::symbol(intern(name))); }
  Node* text(const std::string& s) { return constant(make_string(constants_, s)); }
  Node* local(const Binding* b) { return nodes_.make<Local>(span_, b); }
  const Binding* variable(const char* name) { return nodes_.bind(intern(name), span_); }
  Node* global(const char* name) { return nodes_.make<Global>(span_, intern(name)); }
  // The library's function, whatever the program defines.
  Node* call(const char* name, std::vector<Node*> args) {
    auto* out = nodes_.make<Call>(span_);
    out->function = nodes_.make<Global>(span_, intern("clojure.core", name));
    out->args = std::move(args);
    return out;
  }
  Node* branch(Node* test, Node* then, Node* otherwise) {
    return nodes_.make<If>(span_, test, then, otherwise);
  }
  Node* in_turn(std::vector<Node*> parts) {
    auto* out = nodes_.make<Do>(span_);
    out->body = std::move(parts);
    return out;
  }
  Node* let(const Binding* b, Node* value, Node* body) {
    auto* out = nodes_.make<Let>(span_);
    out->bindings.emplace_back(b, value);
    out->body = body;
    return out;
  }
  // `body` where the variable is how often the execution has met the observe before; counts it.
  Node* counted(std::size_t observe, const Binding* before, Node* body) {
    const Binding* seen = variable("seen");
    Node* count = let(seen, call("retrieve", {symbol(kObservedLabel), number(observe)}),
                      branch(local(seen), local(seen), number(0)));
    Node* store = call(
        "store", {symbol(kObservedLabel), number(observe), call("+", {local(before), number(1)})});
    return let(before, count, in_turn({store, body}));
  }

 private:
  NodeArena& nodes_;
  Arena& constants_;
  Span span_;
};

}  // namespace

void ObserveRewriter::rewrite(Node*& root, NodeArena& nodes, Arena& constants,
                              const SourceMap& sources, DiagnosticSink& sink) {
  std::vector<Node**> open = {&root};
  while (!open.empty()) {
    Node*& slot = *open.back();
    open.pop_back();
    Node* const node = slot;
    if (node->kind == Kind::Observe) {
      auto* observe = as<Observe>(node);
      const std::size_t number = lines_.size();
      const std::size_t line =
          node->span.known() ? sources.position(node->span.file, node->span.begin).line : 0;
      lines_.push_back(line);
      Maker make(nodes, constants, node->span);
      const Binding* before = make.variable("before");
      if (observe->dist->kind == Kind::Call &&
          as<Call>(observe->dist)->function->kind == Kind::Global &&
          as<Global>(as<Call>(observe->dist)->function)->name->full == "%factor")
        sink.error(Code::U003, node->span, "verify: a factor cannot be simulated",
                   "verify needs observes of distributions");
      if (to_ == To::Simulate) {
        auto* sample = nodes.make<Sample>(node->span);
        sample->dist = observe->dist;
        auto* predict = nodes.make<core::Predict>(node->span);
        predict->label = make.call(
            "vector", {make.symbol(kObservedLabel), make.number(number), make.local(before)});
        predict->value = sample;
        slot = make.counted(number, before, predict);
        open.push_back(&sample->dist);
      } else {
        const Binding* values = make.variable("values");
        auto* missing = nodes.make<Throw>(node->span);
        missing->value = make.call(
            "ex-info",
            {make.text(fmt::format(
                "verify: an execution meets the observe in line {} more often than the one that "
                "the "
                "data were simulated by; calibration needs the same observes in every execution",
                line))});
        Node* value = make.branch(
            make.call("<", {make.local(before), make.call("count", {make.local(values)})}),
            make.call("nth", {make.local(values), make.local(before)}), missing);
        Node* found = make.let(
            values, make.call("nth", {make.global(kSimulatedData), make.number(number)}), value);
        observe->value = make.counted(number, before, found);
        open.push_back(&observe->dist);
      }
      continue;
    }
    // Functions of these are not handed out as slots: their bodies are.
    const auto bodies = [&](Lambda* function) {
      if (function != nullptr)
        for (Arity& arity : function->arities)
          if (arity.body != nullptr) open.push_back(&arity.body);
    };
    if (node->kind == Kind::Fix) {
      open.push_back(&as<Fix>(node)->body);
      for (auto& [binding, function] : as<Fix>(node)->functions) bodies(function);
    } else if (node->kind == Kind::Catch) {
      open.push_back(&as<Catch>(node)->tag);
      bodies(as<Catch>(node)->body);
    } else if (node->kind == Kind::Try) {
      bodies(as<Try>(node)->body);
      bodies(as<Try>(node)->handler);
      bodies(as<Try>(node)->finally);
    } else {
      each_child(node, [&](Node*& child) { open.push_back(&child); });
    }
  }
}

}  // namespace chancel
