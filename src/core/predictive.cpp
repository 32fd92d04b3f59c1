// SPDX-License-Identifier: Apache-2.0
#include "core/predictive.hpp"

#include <algorithm>
#include <unordered_set>

#include "core/walk.hpp"

namespace chancel::core {
namespace {

using Names = std::unordered_set<const Name*>;

class Analysis {
 public:
  explicit Analysis(const std::vector<Node*>& program) : globals_(definitions_of(program)) {
    generating_ = reaching(globals_, [&](Node* node) { return calls_generate(node); });
    drawing_ = reaching(globals_, [](Node* node) { return node->kind == Kind::Sample; });
    observing_ = reaching(globals_, [&](Node* node) { return observes_itself(node); });
  }

  const Definitions& definitions() const { return globals_; }

  void enter(Lambda* query) {
    find_draws_behind_observes(query);
    // Values come before their uses, so one pass classifies all variables.
    for (const auto& [name, value] : globals_) {
      if (value == nullptr) continue;
      each_node(value, [&](Node* node) {
        if (node->kind != Kind::Let) return;
        for (const auto& [binding, bound] : as<Let>(node)->bindings)
          if (is_predictive(bound)) variables_.insert(binding);
      });
    }
  }

  bool is_predictive(Node* root) const {
    bool found = false;
    each_node(root, [&](Node* node) {
      found = found || calls_generate(node) || behind_.contains(node) ||
              (node->kind == Kind::Global && generating_.contains(as<Global>(node)->name)) ||
              (node->kind == Kind::Local && variables_.contains(as<Local>(node)->binding));
    });
    return found;
  }

 private:
  bool is_library(Node* node, const auto& has_name) const {
    return node->kind == Kind::Global && !globals_.contains(as<Global>(node)->name) &&
           has_name(as<Global>(node)->name->full);
  }
  bool calls_generate(Node* node) const {
    return is_library(node, [](const std::string& name) { return name == "generate"; });
  }
  bool observes_itself(Node* node) const {
    return node->kind == Kind::Observe ||
           is_library(node, [](const std::string& name) { return name.starts_with("%observe"); });
  }

  // The query falls into outermost calls, loops, functions, draws and observes, which come one after
  // the other. Draws in those that come after the last one that observes are predictive.
  void find_draws_behind_observes(Lambda* query) {
    struct Open {
      Node* node;
      std::size_t whole;  // number of the outermost one that it is in, or 0
    };
    std::vector<Open> open;
    for (auto arity = query->arities.rbegin(); arity != query->arities.rend(); ++arity)
      if (arity->body != nullptr) open.push_back({arity->body, 0});
    std::unordered_set<const Binding*> observers;  // functions of the query that observe
    std::vector<Open> draws;
    std::size_t wholes = 0, last_observe = 0;
    std::vector<Node*> children;
    while (!open.empty()) {
      auto [node, whole] = open.back();
      open.pop_back();
      if (whole == 0 && is_whole(node)) whole = ++wholes;
      if (node->kind == Kind::Let)
        for (const auto& [binding, value] : as<Let>(node)->bindings)
          if (value->kind == Kind::Lambda && observes_within(value)) observers.insert(binding);
      const bool observes =
          observes_itself(node) ||
          (node->kind == Kind::Global && observing_.contains(as<Global>(node)->name)) ||
          (node->kind == Kind::Local && observers.contains(as<Local>(node)->binding));
      if (observes) last_observe = std::max(last_observe, whole == 0 ? wholes : whole);
      if (node->kind == Kind::Sample ||
          (node->kind == Kind::Global && drawing_.contains(as<Global>(node)->name)))
        draws.push_back({node, whole});
      children.clear();
      each_child(node, [&](Node*& child) { children.push_back(child); });
      for (auto child = children.rbegin(); child != children.rend(); ++child)
        open.push_back({*child, whole});
    }
    if (last_observe == 0) return;  // nothing is observed: the draws are the prior's
    for (const Open& draw : draws)
      if (draw.whole > last_observe) behind_.insert(draw.node);
  }
  static bool is_whole(const Node* node) {
    return node->kind == Kind::Call || node->kind == Kind::Loop || node->kind == Kind::Lambda ||
           node->kind == Kind::Fix || node->kind == Kind::Sample || node->kind == Kind::Observe;
  }
  bool observes_within(Node* root) const {
    bool found = false;
    each_node(root, [&](Node* node) {
      found = found || observes_itself(node) ||
              (node->kind == Kind::Global && observing_.contains(as<Global>(node)->name));
    });
    return found;
  }

  const Definitions globals_;
  Names generating_, drawing_, observing_;
  std::unordered_set<const Node*> behind_;
  std::unordered_set<const Binding*> variables_;
};

}  // namespace

std::vector<std::string> predictive_predicts(const std::vector<Node*>& program, const Name* name) {
  Analysis analysis(program);
  Lambda* query = function_of(analysis.definitions(), name);
  if (query == nullptr) return {};
  analysis.enter(query);
  std::vector<std::string> labels;
  const auto predicts = predicts_of(analysis.definitions());
  for (const auto& [label, values] : predicts)
    if (std::all_of(values.begin(), values.end(),
                    [&](Node* value) { return analysis.is_predictive(value); }))
      labels.push_back(label);
  Node* result = predicts.empty() ? result_of(query) : nullptr;
  if (result != nullptr && analysis.is_predictive(result)) labels.push_back(":result");
  return labels;
}

}  // namespace chancel::core
