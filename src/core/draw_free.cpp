// SPDX-License-Identifier: Apache-2.0
#include "core/draw_free.hpp"

#include <map>
#include <unordered_map>
#include <unordered_set>

#include "core/children.hpp"
#include "value/print.hpp"

namespace chancel::core {
namespace {

constexpr std::size_t kLabelLength = 2000;  // as labels of draws are printed

// Visits the whole tree, parents before children, the first child first.
template <class F>
void each_node(Node* root, F&& visit) {
  std::vector<Node*> open = {root};
  std::vector<Node*> children;
  while (!open.empty()) {
    Node* node = open.back();
    open.pop_back();
    visit(node);
    children.clear();
    each_child(node, [&](Node*& child) { children.push_back(child); });
    open.insert(open.end(), children.rbegin(), children.rend());
  }
}

class Analysis {
 public:
  Analysis(const std::vector<Node*>& program,
           const std::function<bool(const Name*)>& library_is_free)
      : library_is_free_(library_is_free) {
    for (Node* node : program)
      if (node->kind == Kind::Def) globals_[as<Def>(node)->name] = as<Def>(node)->value;
    find_drawing();
  }

  Lambda* query(const Name* name) const {
    const auto found = globals_.find(name);
    if (found == globals_.end() || found->second == nullptr || found->second->kind != Kind::Lambda)
      return nullptr;
    return as<Lambda>(found->second);
  }

  // Arguments of the query are free of draws; a variable is when its value is. Values come before
  // their uses, so one pass settles all.
  void enter(Lambda* query) {
    for (const Arity& arity : query->arities) {
      free_variables_.insert(arity.params.begin(), arity.params.end());
      free_variables_.insert(arity.rest);
    }
    each_node(query, [&](Node* node) {
      if (node->kind != Kind::Let) return;
      for (const auto& [binding, value] : as<Let>(node)->bindings)
        if (is_free(value)) free_variables_.insert(binding);
    });
  }

  bool is_free(Node* root) {
    // Variables bound inside the tree hold what comes from the tree itself.
    std::unordered_set<const Binding*> inside;
    each_node(root, [&](Node* node) { bind(node, inside); });
    bool free = true;
    each_node(root, [&](Node* node) {
      if (!free) return;
      if (node->kind == Kind::Sample || node->kind == Kind::Throw) {
        free = false;
      } else if (node->kind == Kind::Local) {
        const Binding* binding = as<Local>(node)->binding;
        free = inside.contains(binding) || free_variables_.contains(binding);
      } else if (node->kind == Kind::Global) {
        const Name* name = as<Global>(node)->name;
        free = globals_.contains(name) ? !drawing_.contains(name) : library_is_free_(name);
      }
    });
    return free;
  }

  // Values of the predicts with literal labels, of all functions.
  std::map<std::string, std::vector<Node*>> predicts() const {
    std::map<std::string, std::vector<Node*>> by_label;
    for (const auto& [name, value] : globals_) {
      if (value == nullptr) continue;
      each_node(value, [&](Node* node) {
        if (node->kind == Kind::Predict && as<Predict>(node)->label->kind == Kind::Const)
          by_label[show(as<Const>(as<Predict>(node)->label)->value, true, kLabelLength)].push_back(
              as<Predict>(node)->value);
      });
    }
    return by_label;
  }

 private:
  static void bind(Node* node, std::unordered_set<const Binding*>& inside) {
    const auto add = [&](const auto& bindings) {
      for (const auto& [binding, value] : bindings) inside.insert(binding);
    };
    if (node->kind == Kind::Let) add(as<Let>(node)->bindings);
    if (node->kind == Kind::Fix) add(as<Fix>(node)->functions);
    if (node->kind == Kind::Loop) add(as<Loop>(node)->bindings);
    if (node->kind != Kind::Lambda) return;
    inside.insert(as<Lambda>(node)->self);
    for (const Arity& arity : as<Lambda>(node)->arities) {
      inside.insert(arity.params.begin(), arity.params.end());
      inside.insert(arity.rest);
    }
  }

  // Definitions that draw, and those that name them, and so on.
  void find_drawing() {
    std::unordered_map<const Name*, std::vector<const Name*>> named_by;
    std::vector<const Name*> open;
    for (const auto& [name, value] : globals_) {
      bool draws = value == nullptr || (value->kind == Kind::Lambda && as<Lambda>(value)->is_query);
      if (!draws)
        each_node(value, [&](Node* node) {
          draws = draws || node->kind == Kind::Sample || node->kind == Kind::Throw;
          if (node->kind != Kind::Global) return;
          const Name* other = as<Global>(node)->name;
          if (globals_.contains(other))
            named_by[other].push_back(name);
          else
            draws = draws || !library_is_free_(other);
        });
      if (draws && drawing_.insert(name).second) open.push_back(name);
    }
    while (!open.empty()) {
      const Name* name = open.back();
      open.pop_back();
      for (const Name* other : named_by[name])
        if (drawing_.insert(other).second) open.push_back(other);
    }
  }

  const std::function<bool(const Name*)>& library_is_free_;
  std::unordered_map<const Name*, Node*> globals_;
  std::unordered_set<const Binding*> free_variables_;
  std::unordered_set<const Name*> drawing_;
};

Node* tail_of(Node* node) {
  while (true) {
    if (node->kind == Kind::Let && as<Let>(node)->body != nullptr) {
      node = as<Let>(node)->body;
    } else if (node->kind == Kind::Do && !as<Do>(node)->body.empty()) {
      node = as<Do>(node)->body.back();
    } else {
      return node;
    }
  }
}

}  // namespace

std::vector<std::string> draw_free_predicts(
    const std::vector<Node*>& program, const Name* name,
    const std::function<bool(const Name*)>& library_is_free) {
  Analysis analysis(program, library_is_free);
  Lambda* query = analysis.query(name);
  if (query == nullptr) return {};
  analysis.enter(query);
  std::vector<std::string> labels;
  for (const auto& [label, values] : analysis.predicts())
    if (values.size() == 1 && analysis.is_free(values.front())) labels.push_back(label);
  if (query->arities.size() == 1 && query->arities.front().body != nullptr &&
      analysis.is_free(tail_of(query->arities.front().body)))
    labels.push_back(":result");
  return labels;
}

}  // namespace chancel::core
