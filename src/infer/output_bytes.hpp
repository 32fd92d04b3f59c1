// SPDX-License-Identifier: Apache-2.0
// What an execution gives, its predicts and its result, as bytes: from the process that ran it to the
// one that has the draws.
#pragma once
#include "diag/diagnostic.hpp"
#include "value/bytes.hpp"
#include "vm/execution.hpp"

namespace chancel {

// `values` writes to `out`. False: one of them has no byte form, and `problem` says which.
bool write_output(ByteWriter& out, ValueWriter& values, const Predicts* predicts,
                  const Value& result, std::string* problem);
// `values` reads from `in`. False: in.problem().
bool read_output(ByteReader& in, ValueReader& values, Arena& arena, Predicts** predicts,
                 Value* result);

// The message for a value that has none (I011).
Diagnostic cannot_be_sent(std::string problem);

}  // namespace chancel
