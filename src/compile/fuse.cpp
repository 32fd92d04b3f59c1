// SPDX-License-Identifier: Apache-2.0
#include "compile/fuse.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "core/walk.hpp"

namespace chancel {
namespace {

// Without effect, and never with the value of `reduced`, at which reduce ends.
constexpr std::string_view kFolds[] = {"+",  "-",   "*",   "/",    "+'", "-'",
                                       "*'", "max", "min", "conj", "str"};

using core::as;
using core::Call;
using core::Kind;
using core::Node;

class Fuser {
 public:
  Fuser(core::NodeArena& nodes, Library& library) : nodes_(nodes), library_(library) {}

  void fuse(Call* call) {
    if (calls(call, "dorun") && call->args.size() == 1) {
      Call* const map = map_in(call->args[0]);
      if (!map) return;
      replace(call, map->args.size() == 3 ? "%dorun-map-2" : "%dorun-map", {}, map);
      call->span = map->span;  // all that can fail
    } else if (calls(call, "reduce") && call->args.size() >= 2 && is_fold(call->args[0])) {
      Call* const map = map_in(call->args.back());
      std::vector<Node*> before(call->args.begin(), call->args.end() - 1);
      if (map) replace(call, reduction(before.size() == 1, map->args.size() == 3), before, map);
    }
  }

 private:
  // The library's function of this name, whatever the program defines.
  bool calls(const Call* call, const char* name) const {
    if (call->function->kind != Kind::Global) return false;
    const Name* const called = as<core::Global>(call->function)->name;
    if (called->full != name) return false;
    const Library::Meaning m = library_.resolve(called);
    return m.kind == Library::Meaning::Native || m.library;
  }
  // Null: it does not call map over one collection or two.
  Call* map_in(Node* node) const {
    if (node->kind != Kind::Call || !calls(as<Call>(node), "map")) return nullptr;
    const std::size_t count = as<Call>(node)->args.size();
    return count == 2 || count == 3 ? as<Call>(node) : nullptr;
  }
  bool is_fold(const Node* node) const {
    if (node->kind != Kind::Global) return false;
    const Name* const name = as<core::Global>(node)->name;
    const Library::Meaning m = library_.resolve(name);
    return m.kind == Library::Meaning::Native && (m.native->flags & kPure) &&
           std::find(std::begin(kFolds), std::end(kFolds), name->full) != std::end(kFolds);
  }
  static const char* reduction(bool without_init, bool over_two) {
    if (without_init) return over_two ? "%reduce-map-2-first" : "%reduce-map-first";
    return over_two ? "%reduce-map-2" : "%reduce-map";
  }
  Node* global(const char* name, const Node* place) {
    return nodes_.make<core::Global>(place->span, intern(name));
  }
  void replace(Call* call, const char* name, std::vector<Node*> before, const Call* map) {
    call->function = global(name, call->function);
    before.insert(before.end(), map->args.begin(), map->args.end());
    call->args = std::move(before);
  }

  core::NodeArena& nodes_;
  Library& library_;
};

}  // namespace

void fuse_calls(Node* root, core::NodeArena& nodes, Library& library) {
  Fuser fuser(nodes, library);
  core::each_node(root, [&](Node* node) {
    if (node->kind == Kind::Call) fuser.fuse(as<Call>(node));
  });
}

}  // namespace chancel
