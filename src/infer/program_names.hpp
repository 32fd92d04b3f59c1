// SPDX-License-Identifier: Apache-2.0
// What bytes of values name (value/bytes.hpp), as a program has it: functions and distributions of the
// library, and its own record types. A record type that was defined twice is the last one.
#pragma once
#include <string_view>
#include <unordered_map>

#include "bytecode/program.hpp"
#include "value/bytes.hpp"

namespace chancel {

class ProgramNames final : public ByteNames {
 public:
  ProgramNames(Program& program, const std::vector<const NativeDef*>& natives);
  const NativeDef* native(std::string_view name) const override;
  const DistType* dist(std::string_view name) const override;
  const RecordType* record(std::string_view name) const override;

 private:
  std::unordered_map<std::string_view, const NativeDef*> natives_;
  std::unordered_map<std::string_view, const DistType*> dists_;
  std::unordered_map<std::string_view, const RecordType*> records_;
};

}  // namespace chancel
