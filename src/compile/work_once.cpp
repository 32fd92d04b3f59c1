// SPDX-License-Identifier: Apache-2.0
#include "compile/work_once.hpp"

#include <algorithm>
#include <unordered_set>

#include "core/copy.hpp"
#include "core/walk.hpp"

namespace chancel {
namespace {

using core::as;
using core::Binding;
using core::Kind;
using core::Lambda;
using core::Node;

class Parts {
 public:
  Parts(Lambda* query, const core::Effects& effects, const DataByVariable& data,
        core::NodeArena& nodes, Library& library, const EvaluatePart& evaluate, PartNames& names)
      : effects_(effects),
        nodes_(nodes),
        library_(library),
        evaluate_(evaluate),
        names_(names),
        data_(data) {
    find_stops(query);
  }

  std::vector<KnownPart> find(Node* body) {
    visit(body);
    return std::move(known_);
  }

 private:
  static constexpr std::size_t kMostParts = 200;

  // What a part needs of the world around it: data, and functions that are part of the query.
  struct Needs {
    std::vector<const Binding*> data;
    std::vector<const Binding*> functions;  // each after those that it needs
  };

  // Marks each node with a stop, or a jump, in it: no such node is a part.
  void find_stops(Node* root) {
    std::vector<Node*> order = {root};
    std::unordered_map<const Node*, const Node*> parent;
    const auto mark = [&](const Node* node) {
      while (node && has_stop_.insert(node).second) {
        const auto up = parent.find(node);
        node = up == parent.end() ? nullptr : up->second;
      }
    };
    for (std::size_t i = 0; i < order.size(); ++i) {
      Node* node = order[i];
      core::each_child(node, [&](Node*& child) {
        parent[child] = node;
        order.push_back(child);
      });
      switch (node->kind) {
        case Kind::Sample:
        case Kind::Observe:
        case Kind::Predict:
        case Kind::Catch:
        case Kind::Throw:
        case Kind::Try:
        case Kind::Def:
          mark(node);
          break;
        case Kind::Lambda:
          if (as<Lambda>(node)->is_query) mark(node);
          break;
        default:
          break;
      }
    }
  }

  bool makes_distribution(const Node* node) const {
    if (node->kind != Kind::Call) return false;
    const Node* function = as<core::Call>(node)->function;
    if (function->kind != Kind::Global) return false;
    const Library::Meaning m = library_.resolve(as<core::Global>(function)->name);
    return m.kind == Library::Meaning::Native && m.native->dist;
  }
  bool is_work(Node* node) const {
    switch (node->kind) {
      case Kind::Call:
        return !makes_distribution(node);
      case Kind::Let:
      case Kind::If:
      case Kind::Do:
      case Kind::Loop: {
        bool calls = false;
        core::each_node(node, [&](Node* part) { calls = calls || part->kind == Kind::Call; });
        return calls;
      }
      default:
        return false;
    }
  }

  // False: it needs a variable whose value may depend on draws, or jumps out of itself.
  bool needs_of(Node* root, Needs& needs) const {
    std::unordered_set<const void*> inside;
    std::vector<const Binding*> outside;
    bool ok = true;
    core::each_node(root, [&](Node* node) {
      const auto add = [&](const auto& bindings) {
        for (const auto& [binding, value] : bindings) inside.insert(binding);
      };
      if (node->kind == Kind::Let) add(as<core::Let>(node)->bindings);
      if (node->kind == Kind::Fix) add(as<core::Fix>(node)->functions);
      if (node->kind == Kind::Loop) {
        add(as<core::Loop>(node)->bindings);
        inside.insert(node);
      }
      if (node->kind == Kind::Recur) ok = ok && inside.contains(as<core::Recur>(node)->target);
      if (node->kind == Kind::Lambda) {
        inside.insert(as<Lambda>(node)->self);
        for (const core::Arity& arity : as<Lambda>(node)->arities) {
          inside.insert(arity.params.begin(), arity.params.end());
          inside.insert(arity.rest);
        }
      }
      if (node->kind == Kind::Local) outside.push_back(as<core::Local>(node)->binding);
    });
    for (const Binding* b : outside) {
      if (!ok) return false;
      if (inside.contains(b) || has(needs.data, b) || has(needs.functions, b)) continue;
      if (data_.contains(b)) {
        needs.data.push_back(b);
      } else if (const auto f = functions_.find(b); f != functions_.end()) {
        ok = needs_of(f->second, needs);
        if (!has(needs.functions, b)) needs.functions.push_back(b);
      } else {
        return false;
      }
    }
    return ok;
  }
  static bool has(const std::vector<const Binding*>& all, const Binding* b) {
    return std::find(all.begin(), all.end(), b) != all.end();
  }

  // Of one vector with the values of the data that it needs: any number of them.
  Lambda* function_of(Node* part, const Needs& needs) {
    const Span span = part->span;
    auto* function = nodes_.make<Lambda>(span);
    core::Arity& arity = function->arities.emplace_back();
    const Binding* const values = nodes_.bind(intern("values"), span);
    arity.params = {values};
    arity.span = span;
    auto* let = nodes_.make<core::Let>(span);
    arity.body = let;
    for (std::size_t i = 0; i < needs.data.size(); ++i) {
      auto* value = nodes_.make<core::Call>(span);
      value->function = nodes_.make<core::Global>(span, intern("clojure.core/nth"));
      value->args = {nodes_.make<core::Local>(span, values),
                     nodes_.make<core::Const>(span, Value::integer(static_cast<std::int64_t>(i)))};
      let->bindings.emplace_back(needs.data[i], value);
    }
    for (const Binding* b : needs.functions)
      let->bindings.emplace_back(b, core::copy_tree(functions_.at(b), nodes_));
    let->body = core::copy_tree(part, nodes_);
    return function;
  }

  // True: the part has a value now.
  bool evaluate(Node* part) {
    if (known_.size() >= kMostParts || !is_work(part) || has_stop_.contains(part)) return false;
    Needs needs;
    if (!needs_of(part, needs) || effects_.of(part) != 0) return false;
    std::vector<Value> values;
    for (const Binding* b : needs.data) values.push_back(data_.at(b));
    std::optional<Value> value = evaluate_(part, values, [&] { return function_of(part, needs); });
    if (!value) return false;
    const Binding*& name = names_[part];
    if (!name) name = nodes_.bind(intern("known"), part->span);
    known_.push_back({part, name, *value});
    return true;
  }

  // What a variable of let holds.
  void bind(const Binding* binding, Node* value) {
    if (value->kind == Kind::Lambda && !has_stop_.contains(value)) {
      functions_[binding] = value;
    } else if (value->kind == Kind::Const) {
      data_[binding] = as<core::Const>(value)->value;
    } else if (value->kind == Kind::Local) {
      if (const auto known = data_.find(as<core::Local>(value)->binding); known != data_.end())
        data_[binding] = Value(known->second);
    } else if (evaluate(value)) {
      data_[binding] = known_.back().value;
      return;
    }
    visit(value, false);
  }

  // Along the last parts, which may be many.
  void visit(Node* node, bool itself = true) {
    for (; node; itself = true) {
      if (itself && evaluate(node)) return;
      Node* const last = node->kind == Kind::If ? as<core::If>(node)->otherwise : last_part(node);
      if (node->kind == Kind::Let) {
        for (auto& [binding, value] : as<core::Let>(node)->bindings) bind(binding, value);
      } else if (node->kind != Kind::Lambda || !as<Lambda>(node)->is_query) {
        core::each_child(node, [&](Node*& child) {
          if (child != last) visit(child);
        });
      }
      node = last;
    }
  }

  const core::Effects& effects_;
  core::NodeArena& nodes_;
  Library& library_;
  const EvaluatePart& evaluate_;
  PartNames& names_;
  DataByVariable data_;
  std::unordered_map<const Binding*, Node*> functions_;
  std::unordered_set<const Node*> has_stop_;
  std::vector<KnownPart> known_;
};

}  // namespace

std::vector<KnownPart> evaluate_parts(Lambda* query, const core::Effects& effects,
                                      const DataByVariable& data, core::NodeArena& nodes,
                                      Library& library, const EvaluatePart& evaluate,
                                      PartNames& names) {
  if (query->arities.size() != 1) return {};
  return Parts(query, effects, data, nodes, library, evaluate, names)
      .find(query->arities.front().body);
}

Lambda* with_known_parts(const Lambda* query, const KnownParts& known, core::NodeArena& nodes) {
  std::unordered_map<const Node*, const KnownPart*> by_part;
  for (const KnownPart& p : known.parts) by_part[p.part] = &p;
  return as<Lambda>(core::copy_tree(query, nodes, [&](const Node* node) -> Node* {
    const auto found = by_part.find(node);
    return found == by_part.end() ? nullptr
                                  : nodes.make<core::Local>(node->span, found->second->name);
  }));
}

}  // namespace chancel
