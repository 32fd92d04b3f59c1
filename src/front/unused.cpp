// SPDX-License-Identifier: Apache-2.0
#include "front/unused.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/children.hpp"

namespace chancel::front {

namespace {

class UnusedDistributions {
 public:
  UnusedDistributions(const GlobalNames& globals, DiagnosticSink& sink)
      : globals_(globals), sink_(sink) {}

  // In the order of the text, with a list of what is left: code may be nested as deeply as memory
  // allows (a long `and` is).
  void visit(core::Node* root) {
    left_.push_back({root, true});
    while (!left_.empty()) {
      const Part part = left_.back();
      left_.pop_back();
      const std::size_t first = left_.size();
      add_parts(part.node, part.used);
      std::reverse(left_.begin() + static_cast<std::ptrdiff_t>(first), left_.end());
    }
  }

 private:
  struct Part {
    core::Node* node;
    bool used;  // something takes its value
  };

  void add(core::Node* node, bool used) {
    if (node) left_.push_back({node, used});
  }

  void add_parts(core::Node* node, bool used) {
    using core::Kind;
    switch (node->kind) {
      case Kind::Do: {
        const auto& body = core::as<core::Do>(node)->body;
        for (std::size_t i = 0; i < body.size(); ++i) add(body[i], used && i + 1 == body.size());
        return;
      }
      case Kind::If: {
        const auto* choice = core::as<core::If>(node);
        add(choice->test, true);
        add(choice->then, used);
        add(choice->otherwise, used);
        return;
      }
      case Kind::Let:
      case Kind::Loop: {
        const core::Node* body = node->kind == Kind::Let ? core::as<core::Let>(node)->body
                                                         : core::as<core::Loop>(node)->body;
        core::each_child(node, [&](core::Node*& child) { add(child, child != body || used); });
        return;
      }
      case Kind::Call:
        if (!used) check(*core::as<core::Call>(node));
        [[fallthrough]];
      default:
        core::each_child(node, [&](core::Node*& child) { add(child, true); });
    }
  }

  void check(const core::Call& call) {
    if (call.function->kind != core::Kind::Global) return;
    const Name* name = core::as<core::Global>(call.function)->name;
    if (!globals_.is_distribution(name)) return;
    sink_.warning(Code::F013, call.span,
                  fmt::format("{}: this distribution is made and thrown away", name->full),
                  fmt::format("(observe ({} ...) value) conditions on a value, (sample ({} ...)) "
                              "draws one",
                              name->full, name->full));
  }

  const GlobalNames& globals_;
  DiagnosticSink& sink_;
  std::vector<Part> left_;
};

}  // namespace

void warn_of_unused_distributions(core::Node* node, const GlobalNames& globals,
                                  DiagnosticSink& sink) {
  UnusedDistributions(globals, sink).visit(node);
}

}  // namespace chancel::front
