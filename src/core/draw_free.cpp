// SPDX-License-Identifier: Apache-2.0
#include "core/draw_free.hpp"

#include <unordered_map>
#include <unordered_set>

#include "core/walk.hpp"

namespace chancel::core {
namespace {

class Analysis {
 public:
  Analysis(const std::vector<Node*>& program,
           const std::function<bool(const Name*)>& library_is_free)
      : library_is_free_(library_is_free), globals_(definitions_of(program)) {
    find_drawing();
  }

  const Definitions& definitions() const { return globals_; }

  // Arguments of the query are free of draws; a variable is when its value is. Values come before
  // their uses, so one pass is enough.
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
        each_node(value, [&, name = name](Node* node) {
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
  const Definitions globals_;
  std::unordered_set<const Binding*> free_variables_;
  std::unordered_set<const Name*> drawing_;
};

}  // namespace

std::vector<std::string> draw_free_predicts(
    const std::vector<Node*>& program, const Name* name,
    const std::function<bool(const Name*)>& library_is_free) {
  Analysis analysis(program, library_is_free);
  Lambda* query = function_of(analysis.definitions(), name);
  if (query == nullptr) return {};
  analysis.enter(query);
  std::vector<std::string> labels;
  for (const auto& [label, values] : predicts_of(analysis.definitions()))
    if (values.size() == 1 && analysis.is_free(values.front())) labels.push_back(label);
  if (Node* result = result_of(query); result != nullptr && analysis.is_free(result))
    labels.push_back(":result");
  return labels;
}

}  // namespace chancel::core
