// SPDX-License-Identifier: Apache-2.0
// See output_bytes.hpp.
#include "infer/output_bytes.hpp"

#include "value/print.hpp"

namespace chancel {

bool write_output(ByteWriter& out, ValueWriter& values, const Predicts* predicts,
                  const Value& result, std::string* problem) {
  std::uint64_t count = 0;
  for (const Predicts* p = predicts; p; p = p->previous) ++count;
  out.number(count);
  for (const Predicts* p = predicts; p; p = p->previous) {
    if (values.write(p->label) && values.write(p->value)) continue;
    *problem = "the value of " + show(p->label) + ": " + values.problem();
    return false;
  }
  if (values.write(result)) return true;
  *problem = "the result: " + values.problem();
  return false;
}

bool read_output(ByteReader& in, ValueReader& values, Arena& arena, Predicts** predicts,
                 Value* result) {
  *predicts = nullptr;
  Predicts* newer = nullptr;
  for (std::uint64_t left = in.count(2); left > 0; --left) {
    Value label = Value::nil(), value = Value::nil();
    if (!values.read(&label) || !values.read(&value)) return false;
    auto* p = arena.make<Predicts>(Tag::Predicts);
    p->previous = nullptr;
    p->label = label;
    p->value = value;
    (newer ? newer->previous : *predicts) = p;
    newer = p;
  }
  return values.read(result);
}

Diagnostic cannot_be_sent(std::string problem) {
  return {Code::I011,
          Severity::Error,
          {},
          std::move(problem),
          "predict data of it, or run the program in one process",
          {}};
}

}  // namespace chancel
