// SPDX-License-Identifier: Apache-2.0
// Programs and images: see program.hpp.
#include "bytecode/program.hpp"

#include "bytecode/code.hpp"

namespace chancel {

Program::Program() : constant_arena_(constant_heap_) { values.reserve(kMaxGlobals); }
Program::~Program() = default;

std::uint32_t Program::global(const Name* name) {
  auto [it, fresh] = index_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
  if (fresh) {
    CHANCEL_ASSERT(names_.size() < kMaxGlobals, "too many global variables");
    names_.push_back(name);
    values.push_back(unbound());
  }
  return it->second;
}

int Program::find_global(const Name* name) const {
  const auto it = index_.find(name);
  return it == index_.end() ? -1 : static_cast<int>(it->second);
}

FunctionProto* Program::add_function() {
  take(sizeof(FunctionProto) + sizeof(CodeBlock) + 64);
  functions_.push_back(std::make_unique<FunctionProto>());
  return functions_.back().get();
}

std::uint32_t Program::add_site(SiteKind kind, Span span, const Name* function) {
  sites_.push_back({kind, span, function});
  return static_cast<std::uint32_t>(sites_.size() - 1);
}

RecordType* Program::add_record_type() {
  record_types_.emplace_back();
  return &record_types_.back();
}

Value Program::keep(const Value& v) {
  return deep_copy(v, constant_arena_,
                   [this](const Object* o) { return block_of(o)->heap == &constant_heap_; });
}

Image::Image(std::shared_ptr<Program> p, const std::vector<bool>& wanted) : program(std::move(p)) {
  // One vector object holds all globals while they are copied, so that sharing between them is
  // kept.
  const std::size_t n = program->values.size();
  Heap scratch_heap;
  Arena scratch(scratch_heap);
  auto* all = scratch.make<ValueArray>(Tag::ValueArray,
                                       sizeof(ValueArray) + (n ? n - 1 : 0) * sizeof(Value));
  all->count = n;
  const Heap* constants = &program->constants().heap();
  for (std::size_t i = 0; i < n; ++i) {
    const Value& v = program->values[i];
    const bool in =
        (i < wanted.size() && wanted[i]) || !v.is_object() || block_of(v.o)->heap == constants;
    all->values[i] = in ? v : Program::unbound();
  }
  const Value copied = deep_copy(Value::object(all), arena, [constants](const Object* o) {
    return block_of(o)->heap == constants;
  });
  const auto* out = copied.as<ValueArray>();
  globals.reserve(n + 4096);  // room for library functions that eval brings in later
  globals.assign(out->values, out->values + n);
}

}  // namespace chancel
