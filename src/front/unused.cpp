// SPDX-License-Identifier: Apache-2.0
#include "front/unused.hpp"

#include <fmt/format.h>

#include "core/children.hpp"

namespace chancel::front {

namespace {

class UnusedDistributions {
 public:
  UnusedDistributions(const GlobalNames& globals, DiagnosticSink& sink)
      : globals_(globals), sink_(sink) {}

  // `used`: something takes the value of this node.
  void visit(core::Node* node, bool used) {
    using core::Kind;
    switch (node->kind) {
      case Kind::Do: {
        auto& body = core::as<core::Do>(node)->body;
        for (std::size_t i = 0; i < body.size(); ++i) visit(body[i], used && i + 1 == body.size());
        return;
      }
      case Kind::If: {
        auto* choice = core::as<core::If>(node);
        visit(choice->test, true);
        if (choice->then) visit(choice->then, used);
        if (choice->otherwise) visit(choice->otherwise, used);
        return;
      }
      case Kind::Let:
      case Kind::Loop: {
        core::Node* body = node->kind == Kind::Let ? core::as<core::Let>(node)->body
                                                   : core::as<core::Loop>(node)->body;
        core::each_child(node, [&](core::Node*& child) { visit(child, child != body || used); });
        return;
      }
      case Kind::Call:
        if (!used) check(*core::as<core::Call>(node));
        [[fallthrough]];
      default:
        core::each_child(node, [&](core::Node*& child) { visit(child, true); });
    }
  }

 private:
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
};

}  // namespace

void warn_of_unused_distributions(core::Node* node, const GlobalNames& globals,
                                  DiagnosticSink& sink) {
  UnusedDistributions(globals, sink).visit(node, true);
}

}  // namespace chancel::front
