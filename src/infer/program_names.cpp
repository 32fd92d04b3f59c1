// SPDX-License-Identifier: Apache-2.0
#include "infer/program_names.hpp"

#include "value/dist_object.hpp"
#include "value/native.hpp"

namespace chancel {

namespace {
template <class T>
const T* found(const std::unordered_map<std::string_view, const T*>& in, std::string_view name) {
  const auto at = in.find(name);
  return at == in.end() ? nullptr : at->second;
}
}  // namespace

ProgramNames::ProgramNames(Program& program, const std::vector<const NativeDef*>& natives) {
  for (const NativeDef* native : natives) {
    natives_.insert_or_assign(native->name, native);
    if (native->dist) dists_.emplace(native->dist->name, native->dist);
  }
  for (const RecordType& type : program.record_types())
    records_.insert_or_assign(type.name->full, &type);
}

const NativeDef* ProgramNames::native(std::string_view name) const { return found(natives_, name); }
const DistType* ProgramNames::dist(std::string_view name) const { return found(dists_, name); }
const RecordType* ProgramNames::record(std::string_view name) const {
  return found(records_, name);
}

}  // namespace chancel
