// SPDX-License-Identifier: Apache-2.0
// See needed_globals.hpp.
#include "session/needed_globals.hpp"

#include <cstring>

#include "bytecode/code.hpp"
#include "value/native.hpp"
#include "value/record.hpp"

namespace chancel {

namespace {

// Every object that can be reached from values, each once; nothing moves. Constants of the program
// are data, but for functions.
class Reached final : public Evacuator {
 public:
  explicit Reached(const Heap& constants) : Evacuator(Scope::Everything), constants_(constants) {}
  void add(Value v) { visit(v); }
  Object* next() {
    if (done_ == order_.size()) return nullptr;
    Object* o = order_[done_++];
    scan_object(o, *this);
    return o;
  }

 private:
  Object* copy(Object* o) override {
    const bool function = o->tag == Tag::Closure || o->tag == Tag::Query || o->tag == Tag::Memo;
    if ((function || block_of(o)->heap != &constants_) && seen_.insert(o).second)
      order_.push_back(o);
    return o;
  }
  const Heap& constants_;
  std::unordered_set<const Object*> seen_;
  std::vector<Object*> order_;
  std::size_t done_ = 0;
};

const FunctionProto* code_of(const Value& v) {
  return v.is(Tag::Closure) ? proto_of(v.as<Closure>())
         : v.is(Tag::Query) ? proto_of(v.as<Query>())
         : v.is(Tag::Memo)  ? code_of(v.as<Memo>()->function)
                            : nullptr;
}

// eval compiles forms that are not known before.
bool evaluates_forms(const NativeDef* native) { return std::strcmp(native->name, "%compile") == 0; }

}  // namespace

const NeededGlobals::Names& NeededGlobals::named_by(const FunctionProto* proto) {
  const auto [it, fresh] = names_.try_emplace(proto);
  if (!fresh) return it->second;
  Names names;
  std::vector<const FunctionProto*> open = {proto};
  std::unordered_set<const FunctionProto*> seen;
  while (!open.empty()) {
    const FunctionProto* f = open.back();
    open.pop_back();
    if (!seen.insert(f).second) continue;
    for (const auto& block : f->arities) {
      for (const FunctionProto* inner : block->functions) open.push_back(inner);
      for (const Value& constant : block->constants) {
        names.anything = names.anything || (constant.is(Tag::Native) && constant.native &&
                                            evaluates_forms(constant.native));
        // Functions that capture nothing.
        if (const FunctionProto* inner = code_of(constant)) open.push_back(inner);
      }
      const std::vector<Instr>& code = block->instrs;
      for (std::size_t i = 0; i < code.size();
           i += 1 + static_cast<std::size_t>(op_words(code[i].op))) {
        switch (code[i].op) {
          case Op::LoadGlobal:
          case Op::SetGlobal:
            names.globals.push_back(static_cast<std::uint32_t>(code[i].wide()));
            break;
          case Op::CallGlobal:
            names.globals.push_back(static_cast<std::uint32_t>(word_of(code[i + 1])));
            break;
          case Op::Native:
          case Op::Native1:
          case Op::Native2:
            names.anything = names.anything || evaluates_forms(ext_native(code[i + 1]));
            break;
          default:
            break;
        }
      }
    }
  }
  return names_[proto] = std::move(names);
}

std::vector<bool> NeededGlobals::of(const std::vector<Value>& roots) {
  const std::size_t n = program_.values.size();
  std::vector<bool> needed(n, false);
  Reached reached(program_.constants().heap());
  const auto need = [&](std::uint32_t index) {
    if (index >= n || needed[index]) return;
    needed[index] = true;
    reached.add(program_.values[index]);
  };
  for (const Value& root : roots) reached.add(root);
  // Methods are found through types, and what derive has said by its name.
  for (const RecordType& type : program_.record_types())
    for (const auto& [method, index] : type.methods) need(index);
  for (const auto& [type, methods] : program_.extensions)
    for (const auto& [method, index] : methods) need(index);
  if (const int derived = program_.find_global(intern("%derived")); derived >= 0)
    need(static_cast<std::uint32_t>(derived));
  while (const Object* o = reached.next()) {
    const FunctionProto* proto = o->tag == Tag::Closure ? proto_of(static_cast<const Closure*>(o))
                                 : o->tag == Tag::Query ? proto_of(static_cast<const Query*>(o))
                                                        : nullptr;
    if (proto == nullptr) continue;
    const Names& names = named_by(proto);
    if (names.anything) return std::vector<bool>(n, true);
    for (const std::uint32_t index : names.globals) need(index);
  }
  return needed;
}

}  // namespace chancel
