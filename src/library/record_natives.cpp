// SPDX-License-Identifier: Apache-2.0
// Records: see record_natives.hpp. A type is held by programs as a Foreign value that points to the
// program's RecordType.
#include "library/record_natives.hpp"

#include <algorithm>

#include "diag/diagnostic.hpp"
#include "fmt/format.h"
#include "value/classes.hpp"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/number.hpp"
#include "value/print.hpp"
#include "value/record.hpp"
#include "vm/machine.hpp"

namespace chancel {

namespace {

constexpr std::uint64_t kTypeHandle = 1;  // Foreign::kind
constexpr const char* kHierarchy = "%derived";

const RecordType* type_of(const Value& v) {
  if (!v.is(Tag::Foreign) || v.as<Foreign>()->kind != kTypeHandle) return nullptr;
  return reinterpret_cast<const RecordType*>(v.as<Foreign>()->index);
}

void add_methods(Program& program, const Value& table,
                 std::unordered_map<const Name*, std::uint32_t>& methods) {
  map_each(table, [&](const Value& method, const Value& global) {
    methods[method.name] = program.global(global.name);
  });
}

// (%record-type 'name :kind [fields] parameter-count {method global})
Value record_type(NativeContext& cx, const Value* args, std::uint32_t) {
  Program& program = cx.machine->program;
  RecordType* type = program.add_record_type();
  type->name = args[0].name;
  const std::string& kind = args[1].name->full;
  type->kind = kind == "distribution" ? RecordKind::Distribution
               : kind == "process"    ? RecordKind::Process
                                      : RecordKind::Plain;
  const auto* fields = args[2].as<Vector>();
  for (std::uint32_t i = 0; i < fields->count; ++i)
    type->fields.push_back(vector_nth(fields, i).name);
  type->parameter_count = static_cast<std::uint32_t>(args[3].i);
  add_methods(program, args[4], type->methods);
  auto* handle = cx.arena->make<Foreign>(Tag::Foreign);
  handle->kind = kTypeHandle;
  handle->index = reinterpret_cast<std::uint64_t>(type);
  return Value::object(handle);
}

Value make_record(Arena& arena, const RecordType* type, const Value* fields, std::size_t count) {
  auto* r = arena.make<Record>(Tag::Record, bytes_with<Record>(count == 0 ? 1 : count));
  r->type = type;
  r->fields[0] = Value::nil();
  for (std::size_t i = 0; i < count; ++i) r->fields[i] = fields[i];
  return Value::object(r);
}

Value record(NativeContext& cx, const Value* args, std::uint32_t count) {
  const RecordType* type = type_of(args[0]);
  if (!type) return cx.wrong_type("%record", 0, "a record type", args[0]);
  return make_record(*cx.arena, type, args + 1, count - 1);
}

Value field(NativeContext& cx, const Value* args, std::uint32_t) {
  if (!args[0].is(Tag::Record)) return cx.wrong_type("%field", 0, "a record", args[0]);
  return args[0].as<Record>()->fields[args[1].i];
}

// The classes of a value, from the nearest up: those that extend-type may have extended.
std::vector<const Name*> classes_of(const Value& v) {
  const Name* own = class_of(v);
  if (own == nullptr) return {intern("nil")};
  std::vector<const Name*> all = ancestors_of(own);
  all.insert(all.begin(), own);
  // An Object is everything, also what implements interfaces: it comes last.
  const Name* object = intern("java.lang.Object");
  if (const auto at = std::find(all.begin(), all.end(), object); at != all.end()) {
    all.erase(at);
    all.push_back(object);
  }
  return all;
}

// (%method x 'name): the function that implements a protocol method for x.
Value method(NativeContext& cx, const Value* args, std::uint32_t) {
  Machine& machine = *cx.machine;
  const Name* name = args[1].name;
  if (args[0].is(Tag::Record)) {
    const RecordType* type = args[0].as<Record>()->type;
    const auto it = type->methods.find(name);
    if (it != type->methods.end()) return machine.globals[it->second];
  }
  if (args[0].is(Tag::Dist) && (name->full == "sample*" || name->full == "observe*"))
    return Value::nil();
  if (args[0].is(Tag::Process) && (name->full == "produce" || name->full == "absorb"))
    return Value::nil();
  if (machine.program.extensions.empty())
    return cx.fail(Code::R013,
                   fmt::format("no implementation of {} for {}", name->full, describe(args[0])), 0);
  for (const Name* type : classes_of(args[0])) {
    const auto it = machine.program.extensions.find(type);
    if (it == machine.program.extensions.end()) continue;
    const auto found = it->second.find(name);
    if (found != it->second.end()) return machine.globals[found->second];
  }
  return cx.fail(Code::R013,
                 fmt::format("no implementation of {} for {}", name->full, describe(args[0])), 0);
}

// (%extend-type class {method global}); nil has methods, too.
Value extend_type(NativeContext& cx, const Value* args, std::uint32_t) {
  Machine& machine = *cx.machine;
  const Name* type = args[0].is_nil() ? intern("nil") : args[0].name;
  add_methods(machine.program, args[1], machine.program.extensions[type]);
  // Its instances are distributions from now on.
  for (RecordType& record : machine.program.record_types())
    if (class_of_record(record) == type) {
      add_methods(machine.program, args[1], record.methods);
      if (record.kind == RecordKind::Plain && record.methods.contains(intern("sample*")))
        record.kind = RecordKind::Distribution;
    }
  return Value::nil();
}

// --- the hierarchy of derive: a global of the program ---

Value global_hierarchy(NativeContext& cx, const Value*, std::uint32_t) {
  const int index = cx.machine->program.find_global(intern(kHierarchy));
  if (index < 0) return Value::nil();
  const Value h = cx.machine->globals[index];
  return Program::is_unbound(h) ? Value::nil() : h;
}
Value set_global_hierarchy(NativeContext& cx, const Value* args, std::uint32_t) {
  if (cx.in_query)
    return cx.fail(Code::F010, "derive: a query cannot change the global hierarchy", -1,
                   "derive at top level, or in a hierarchy of your own: (derive h child parent)");
  cx.machine->globals[cx.machine->program.global(intern(kHierarchy))] = args[0];
  return args[0];
}

Value is_record(NativeContext&, const Value* args, std::uint32_t) {
  return Value::boolean(args[0].is(Tag::Record));
}

// --- exchangeable procedures: callable records of a sampling and an observing function ---

const RecordType& procedure_type() {
  static const RecordType type = [] {
    RecordType t;
    t.name = intern("%procedure");
    t.fields = {intern("sample"), intern("observe")};
    return t;
  }();
  return type;
}

Value procedure(NativeContext& cx, const Value* args, std::uint32_t) {
  return make_record(*cx.arena, &procedure_type(), args, 2);
}

Value procedure_observer(NativeContext& cx, const Value* args, std::uint32_t) {
  if (!args[0].is(Tag::Record) || args[0].as<Record>()->type != &procedure_type())
    return cx.fail(
        Code::R010,
        fmt::format("observe: {} cannot be observed; only random primitives and exchangeable "
                    "procedures can",
                    describe(args[0])),
        0);
  return args[0].as<Record>()->fields[1];
}

// --- factor: an observe that adds a number to the log-weight ---

const char* const kFactorParameters[] = {"log-weight"};
double factor_log_prob(NativeContext&, const Dist* d, const Value&) { return d->numbers()[0]; }
Value factor_sample(NativeContext&, const Dist*, Stream&) { return Value::nil(); }
Value factor(NativeContext& cx, const Value* args, std::uint32_t);
// As a density, the number is the parameter itself.
constexpr Density kFactorDensity = {
    [](const Value&, double* x) {
      *x = 0;
      return true;
    },
    [](const Lane* parameters, Lane, std::size_t rows, double* out) {
      for (std::size_t r = 0; r < rows; ++r) out[r] = parameters[0][r];
    },
    [](const Lane*, Lane, const double* weight, std::size_t rows, const AdjointLane* adjoints,
       AdjointLane) {
      if (!adjoints[0].at) return;
      for (std::size_t r = 0; r < rows; ++r) adjoints[0].at[r * adjoints[0].step] += weight[r];
    }};
const DistType kFactor = [] {
  DistType t{};
  t.name = "factor";
  t.parameter_names = kFactorParameters;
  t.parameter_count = 1;
  t.support = DistSupport::Other;
  t.discrete = true;
  t.doc = "Adds a number to the log-weight.";
  t.construct = factor;
  t.sample = factor_sample;
  t.log_prob = factor_log_prob;
  t.density = &kFactorDensity;
  return t;
}();
Value factor(NativeContext& cx, const Value* args, std::uint32_t) {
  if (!args[0].is_number()) return cx.wrong_type("factor", 0, "a number", args[0]);
  auto* d = cx.arena->make<Dist>(Tag::Dist, sizeof(Dist) + sizeof(double));
  d->type = &kFactor;
  d->value_count = 1;
  d->number_count = 1;
  d->values[0] = args[0];
  d->numbers()[0] = to_double(args[0]);
  return Value::object(d);
}

}  // namespace

std::span<const NativeDef> record_natives() {
  static const NativeDef natives[] = {
      {"%record-type", 5, 5, record_type, kWorld, "[name kind fields parameters methods]",
       "Makes a record type."},
      {"%record", 1, -1, record, 0, "[type field*]", "Makes a record."},
      {"%field", 2, 2, field, 0, "[record index]", "A field of a record by position."},
      {"%method", 2, 2, method, kWorld, "[x name]",
       "The function that implements a protocol method for x."},
      {"%extend-type", 2, 2, extend_type, kWorld, "[type methods]", "Adds methods to a type."},
      {"%global-hierarchy", 0, 0, global_hierarchy, kWorld, "[]", "What derive has said."},
      {"%set-global-hierarchy", 1, 1, set_global_hierarchy, kWorld, "[hierarchy]",
       "Changes the hierarchy of derive."},
      {"record?", 1, 1, is_record, kPure, "[x]", "True when x is a record."},
      {"%procedure", 2, 2, procedure, 0, "[sample observe]", "An exchangeable procedure."},
      {"%procedure-observer", 1, 1, procedure_observer, 0, "[procedure]",
       "How an exchangeable procedure is observed."},
      {"%factor", 1, 1, factor, 0, "[log-weight]",
       "A distribution whose observation adds to the log-weight.", &kFactor},
  };
  return natives;
}

}  // namespace chancel
