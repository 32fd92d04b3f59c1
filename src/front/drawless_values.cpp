// SPDX-License-Identifier: Apache-2.0
#include "front/drawless_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/symbol.hpp"
#include "core/children.hpp"
#include "front/foreign_names.hpp"

namespace chancel::front {

namespace {

// Functions of one value that no distribution is meant for.
constexpr std::array<std::string_view, 9> kOfValues = {
    "not", "true?", "false?", "boolean", "zero?", "even?", "odd?", "pos?", "neg?"};
constexpr std::array<std::string_view, 3> kEqualities = {"=", "==", "not="};

template <std::size_t kCount>
bool contains(const std::array<std::string_view, kCount>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class DrawlessValues {
 public:
  DrawlessValues(const GlobalNames& globals, DiagnosticSink& sink)
      : globals_(globals), sink_(sink) {}

  // With a list of what is left: code may be nested as deeply as memory allows.
  void visit(core::Node* root) {
    std::vector<core::Node*> left = {root};
    while (!left.empty()) {
      core::Node* node = left.back();
      left.pop_back();
      check(node);
      core::each_child(node, [&](core::Node*& child) {
        if (child) left.push_back(child);
      });
    }
  }

 private:
  void check(core::Node* node) {
    switch (node->kind) {
      case core::Kind::Let:
        for (const auto& [binding, value] : core::as<core::Let>(node)->bindings)
          if (const Name* name = distribution(value)) bound_[binding] = name;
        return;
      case core::Kind::If: {
        const core::Node* test = core::as<core::If>(node)->test;
        if (const Name* name = distribution(test)) refuse(test, name, "is a truth value here");
        return;
      }
      case core::Kind::Sample:
        return check_distribution("sample", core::as<core::Sample>(node)->dist);
      case core::Kind::Observe:
        return check_distribution("observe", core::as<core::Observe>(node)->dist);
      case core::Kind::Call:
        check_call(*core::as<core::Call>(node));
        return;
      default:
        return;
    }
  }

  void check_call(const core::Call& call) {
    if (call.function->kind != core::Kind::Global) return;
    const std::string_view function = core::as<core::Global>(call.function)->name->full;
    if (contains(kOfValues, function) && call.args.size() == 1) {
      if (const Name* name = distribution(call.args[0]))
        refuse(call.args[0], name, fmt::format("is the value that {} is asked about", function));
    } else if (contains(kEqualities, function) &&
               std::any_of(call.args.begin(), call.args.end(), is_number_or_truth_value)) {
      for (const core::Node* argument : call.args)
        if (const Name* name = distribution(argument))
          return refuse(argument, name, "is compared with a number or truth value");
    }
  }

  // A function of the library that another program calls a distribution: (sample (norm 0 1)).
  void check_distribution(const char* form, const core::Node* node) {
    if (node->kind != core::Kind::Call) return;
    const core::Node* function = static_cast<const core::Call*>(node)->function;
    if (function->kind != core::Kind::Global) return;
    const Name* name = static_cast<const core::Global*>(function)->name;
    if (!globals_.arity(name) || globals_.is_distribution(name)) return;
    if (distributions_.empty()) {
      distributions_ = globals_.all();
      std::erase_if(distributions_, [&](const std::string& n) {
        return n.empty() || !globals_.is_distribution(intern(n));
      });
    }
    const std::string hint = foreign_name_hint(name->full, distributions_);
    if (!hint.empty())
      sink_.error(Code::F002, node->span,
                  fmt::format("{}: takes a distribution, and {} is a function", form, name->full),
                  hint);
  }

  static bool is_number_or_truth_value(const core::Node* node) {
    if (node->kind != core::Kind::Const) return false;
    const Value& value = static_cast<const core::Const*>(node)->value;
    return value.is(Tag::Bool) || value.is_number();
  }

  // The name of the distribution that this is for certain, or null.
  const Name* distribution(const core::Node* node) const {
    if (node->kind == core::Kind::Local) {
      const auto found = bound_.find(static_cast<const core::Local*>(node)->binding);
      return found == bound_.end() ? nullptr : found->second;
    }
    if (node->kind != core::Kind::Call) return nullptr;
    const core::Node* function = static_cast<const core::Call*>(node)->function;
    if (function->kind != core::Kind::Global) return nullptr;
    const Name* name = static_cast<const core::Global*>(function)->name;
    return globals_.is_distribution(name) ? name : nullptr;
  }

  void refuse(const core::Node* node, const Name* name, std::string_view what) {
    sink_.error(Code::F015, node->span,
                fmt::format("{}: a distribution, not a draw from it, {}", name->full, what),
                fmt::format("(sample ({} ...)) draws from it", name->full));
  }

  const GlobalNames& globals_;
  DiagnosticSink& sink_;
  std::vector<std::string> distributions_;  // all, once they are asked for
  std::unordered_map<const core::Binding*, const Name*> bound_;
};

}  // namespace

void refuse_drawless_values(core::Node* node, const GlobalNames& globals, DiagnosticSink& sink) {
  DrawlessValues(globals, sink).visit(node);
}

}  // namespace chancel::front
