// SPDX-License-Identifier: Apache-2.0
// What engines say beside their draws, as bytes: for runs whose engines are in several processes of
// the same program (runs/rank_chains.hpp, infer/rank_sweeps.hpp). Readers give nonsense for nonsense;
// in.ok() says whether it was.
#pragma once
#include "base/bytes.hpp"
#include "infer/sink.hpp"

namespace chancel {

void write(ByteWriter& out, const Diagnostic& d);
void write(ByteWriter& out, const BarrierStatistics& b);
void write(ByteWriter& out, const EngineDescent& d);

void read(ByteReader& in, Diagnostic* d);
void read(ByteReader& in, BarrierStatistics* b);
void read(ByteReader& in, EngineDescent* d);

// The bits of what has no pointers.
template <class T>
void write_plain(ByteWriter& out, const T& plain) {
  static_assert(std::is_trivially_copyable_v<T>);
  out.raw({reinterpret_cast<const char*>(&plain), sizeof plain});
}
template <class T>
void read_plain(ByteReader& in, T* plain) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::string_view bytes = in.raw(sizeof *plain);
  if (bytes.size() == sizeof *plain) bytes.copy(reinterpret_cast<char*>(plain), sizeof *plain);
}

}  // namespace chancel
