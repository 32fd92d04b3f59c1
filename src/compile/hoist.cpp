// SPDX-License-Identifier: Apache-2.0
#include "compile/hoist.hpp"

#include <algorithm>
#include <unordered_map>

#include "compile/needed_draws.hpp"
#include "core/copy.hpp"

namespace chancel {
namespace {

using namespace core;

struct Sequence {
  std::vector<Line> lines;
  Node* tail = nullptr;
};

// Takes lets and dos apart; gives what they end with.
Node* take_apart(Node* node, std::vector<Line>& lines) {
  for (;;) {
    if (node->kind == Kind::Let) {
      for (const auto& [binding, value] : as<Let>(node)->bindings) {
        Node* const end = take_apart(value, lines);
        lines.push_back({binding, end});
      }
      node = as<Let>(node)->body;
    } else if (node->kind == Kind::Do && !as<Do>(node)->body.empty()) {
      const auto& body = as<Do>(node)->body;
      for (std::size_t i = 0; i + 1 < body.size(); ++i) {
        Node* const end = take_apart(body[i], lines);
        lines.push_back({nullptr, end});
      }
      node = body.back();
    } else {
      return node;
    }
  }
}

// An observe or predict at the end is a line like the others, and nil follows.
Sequence sequence_of(Node* node, NodeArena& nodes) {
  Sequence out;
  out.tail = take_apart(node, out.lines);
  if (out.tail->kind != Kind::Observe && out.tail->kind != Kind::Predict) return out;
  out.lines.push_back({nullptr, out.tail});
  out.tail = nodes.make<Const>(node->span, Value::nil());
  return out;
}

Node* built(const std::vector<Line>& lines, Node* tail, Span span, NodeArena& nodes) {
  Node* rest = tail;
  for (std::size_t end = lines.size(); end > 0;) {
    std::size_t begin = end;
    const bool named = lines[end - 1].name != nullptr;
    while (begin > 0 && (lines[begin - 1].name != nullptr) == named) --begin;
    if (named) {
      auto* let = nodes.make<Let>(span);
      for (std::size_t i = begin; i < end; ++i)
        let->bindings.emplace_back(lines[i].name, lines[i].node);
      let->body = rest;
      rest = let;
    } else {
      auto* sequence = nodes.make<Do>(span);
      for (std::size_t i = begin; i < end; ++i) sequence->body.push_back(lines[i].node);
      sequence->body.push_back(rest);
      rest = sequence;
    }
    end = begin;
  }
  return rest;
}

// Puts the lines of one sequence into order, segment by segment.
class Order {
 public:
  Order(const std::vector<Line>& lines, const Effects& effects) : lines_(lines) {
    std::unordered_map<const Binding*, std::size_t> line_of;
    std::size_t last_predict = lines.size();
    needs_.resize(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      each_node(lines[i].node, [&](Node* node) {
        if (node->kind != Kind::Local) return;
        const auto found = line_of.find(as<Local>(node)->binding);
        if (found != line_of.end()) needs_[i].push_back(found->second);
      });
      const std::uint8_t all = effects.of(lines[i].node);
      if ((all & kPredicts) != 0) {
        if (last_predict < lines.size()) needs_[i].push_back(last_predict);
        last_predict = i;
      }
      is_fence_.push_back((all & kFence) != 0);
      observes_.push_back((effects.when_called(lines[i].node) & kObserves) != 0);
      if (lines[i].name != nullptr) line_of[lines[i].name] = i;
      std::sort(needs_[i].begin(), needs_[i].end());
    }
  }

  bool has_observe() const {
    return std::find(observes_.begin(), observes_.end(), true) != observes_.end();
  }

  std::vector<std::size_t> by(const std::vector<std::uint64_t>& draws) {
    placed_.assign(lines_.size(), false);
    for (std::size_t begin = 0; begin < lines_.size();) {
      std::size_t end = begin;
      std::vector<std::size_t> observes;
      for (; end < lines_.size() && !is_fence_[end]; ++end)
        if (observes_[end]) observes.push_back(end);
      std::stable_sort(observes.begin(), observes.end(),
                       [&](std::size_t a, std::size_t b) { return draws[a] < draws[b]; });
      for (const std::size_t i : observes) place(i);
      if (end < lines_.size()) ++end;  // the fence, last
      for (std::size_t i = begin; i < end; ++i) place(i);
      begin = end;
    }
    return std::move(out_);
  }

 private:
  // Places a line after the lines that it needs.
  void place(std::size_t line) {
    std::vector<std::pair<std::size_t, std::size_t>> open = {{line, 0}};  // with: needs looked at
    while (!open.empty()) {
      auto& [i, looked] = open.back();
      if (placed_[i]) {
        open.pop_back();
      } else if (looked < needs_[i].size()) {
        const std::size_t other = needs_[i][looked++];
        if (!placed_[other]) open.emplace_back(other, 0);
      } else {
        placed_[i] = true;
        out_.push_back(i);
        open.pop_back();
      }
    }
  }

  const std::vector<Line>& lines_;
  std::vector<std::vector<std::size_t>> needs_;
  std::vector<bool> is_fence_, observes_, placed_;
  std::vector<std::size_t> out_;
};

class Hoister {
 public:
  Hoister(Lambda* query, const QueryOrder& order, NodeArena& nodes, Program& program,
          Library& library)
      : query_(query),
        globals_(order.definitions),
        nodes_(nodes),
        program_(program),
        library_(library),
        effects_(query, order.definitions, order.uses) {
    std::uint8_t all = effects_.of_functions();
    for (const Arity& arity : query->arities) all |= effects_.of(arity.body);
    enters_functions_ = (all & kCatches) == 0;
    each_node(query, [&](Node* node) {
      if (node->kind == Kind::Let)
        for (const auto& [binding, value] : as<Let>(node)->bindings) written_[binding] = value;
    });
  }

  bool run() {
    for (Arity& arity : query_->arities) open_.push_back(&arity.body);
    while (!open_.empty()) {
      Node** slot = open_.back();
      open_.pop_back();
      order(*slot);
      slot = enter_lines(slot);
      enter(*slot);
    }
    return moved_;
  }

 private:
  void order(Node*& slot) {
    const Sequence sequence = sequence_of(slot, nodes_);
    if (sequence.lines.size() < 2) return;
    Order order(sequence.lines, effects_);
    if (!order.has_observe()) return;
    const std::vector<std::size_t> places =
        order.by(needed_draws(sequence.lines, written_, globals_, program_, library_));
    if (std::is_sorted(places.begin(), places.end())) return;
    std::vector<Line> lines;
    for (const std::size_t i : places) lines.push_back(sequence.lines[i]);
    slot = built(lines, sequence.tail, slot->span, nodes_);
    moved_ = true;
  }

  // Along the sequence; gives the place of its last part.
  Node** enter_lines(Node** slot) {
    for (;;) {
      if ((*slot)->kind == Kind::Let) {
        for (auto& [binding, value] : as<Let>(*slot)->bindings) open_.push_back(&value);
        slot = &as<Let>(*slot)->body;
      } else if ((*slot)->kind == Kind::Do && !as<Do>(*slot)->body.empty()) {
        auto& body = as<Do>(*slot)->body;
        for (std::size_t i = 0; i + 1 < body.size(); ++i) open_.push_back(&body[i]);
        slot = &body.back();
      } else {
        return slot;
      }
    }
  }

  void enter(Node* node) {
    switch (node->kind) {
      case Kind::Lambda:
        return enter_function(as<Lambda>(node));
      case Kind::Fix:
        for (auto& [binding, function] : as<Fix>(node)->functions) enter_function(function);
        open_.push_back(&as<Fix>(node)->body);
        return;
      case Kind::Catch:
      case Kind::Try:
        return;  // what has been done before a failure counts
      default:
        each_child(node, [&](Node*& child) { open_.push_back(&child); });
    }
  }

  void enter_function(Lambda* function) {
    if (!enters_functions_ || function->is_query) return;  // a query has an engine of its own
    for (Arity& arity : function->arities) open_.push_back(&arity.body);
  }

  Lambda* query_;
  const Definitions& globals_;
  NodeArena& nodes_;
  Program& program_;
  Library& library_;
  const Effects effects_;
  Written written_;
  bool enters_functions_ = false;
  std::vector<Node**> open_;
  bool moved_ = false;
};

}  // namespace

core::Lambda* hoist(const core::Lambda* query, const QueryOrder& order, core::NodeArena& nodes,
                    Program& program, Library& library) {
  auto* copy = as<Lambda>(copy_tree(query, nodes));
  return Hoister(copy, order, nodes, program, library).run() ? copy : nullptr;
}

core::Lambda* with_captured(core::Lambda* query, const std::vector<const core::Binding*>& captured,
                            core::NodeArena& nodes) {
  if (captured.empty()) return query;
  auto* around = nodes.make<Lambda>(query->span);
  Arity& arity = around->arities.emplace_back();
  arity.params = captured;
  arity.body = query;
  arity.span = query->span;
  return around;
}

}  // namespace chancel
