// SPDX-License-Identifier: Apache-2.0
// In the hash, sets and maps add the hashes of their entries, as their order does not count.
#include "reader/duplicates.hpp"

#include <fmt/format.h>

#include <bit>
#include <functional>
#include <unordered_map>

namespace chancel {
namespace {

std::size_t mix(std::size_t seed, std::size_t hash) {
  // boost::hash_combine's step, widened to 64 bits with the golden ratio.
  return seed ^ (hash + 0x9e3779b97f4a7c15u + (seed << 12) + (seed >> 4));
}

}  // namespace

std::size_t structure_hash(const Datum& datum) {
  const auto kind = static_cast<std::size_t>(datum.kind);
  switch (datum.kind) {
    case DatumKind::Nil:
      return kind;
    case DatumKind::Bool:
      return mix(kind, datum.boolean);
    case DatumKind::Int:
    case DatumKind::Char:
      return mix(kind, std::hash<std::int64_t>{}(datum.integer));
    case DatumKind::Double:
      return mix(kind, std::bit_cast<std::uint64_t>(datum.real));
    case DatumKind::BigInt:
      return mix(kind, std::hash<std::string>{}(datum.text));
    case DatumKind::Ratio:
      return mix(mix(kind, std::hash<std::int64_t>{}(datum.integer)),
                 std::hash<std::int64_t>{}(datum.denominator));
    case DatumKind::String:
      return mix(kind, std::hash<std::string>{}(datum.text));
    case DatumKind::Symbol:
    case DatumKind::Keyword:
      return mix(kind, datum.name->symbol_hash);
    case DatumKind::List:
    case DatumKind::Vector: {
      std::size_t hash = kind;
      for (const Datum& item : datum.items) hash = mix(hash, structure_hash(item));
      return hash;
    }
    case DatumKind::Map: {
      std::size_t sum = 0;
      for (std::size_t i = 0; i + 1 < datum.items.size(); i += 2) {
        sum += mix(structure_hash(datum.items[i]), structure_hash(datum.items[i + 1]));
      }
      return mix(kind, sum);
    }
    case DatumKind::Set: {
      std::size_t sum = 0;
      for (const Datum& item : datum.items) sum += structure_hash(item);
      return mix(kind, sum);
    }
  }
  return kind;
}

void report_duplicates(const std::vector<Datum>& items, std::size_t stride, const char* what,
                       DiagnosticSink& sink) {
  if (items.size() <= stride) return;
  std::unordered_multimap<std::size_t, const Datum*> seen;
  seen.reserve(items.size() / stride);
  for (std::size_t i = 0; i < items.size(); i += stride) {
    const Datum& item = items[i];
    const std::size_t hash = structure_hash(item);
    const auto [first, last] = seen.equal_range(hash);
    const Datum* earlier = nullptr;
    for (auto it = first; it != last && earlier == nullptr; ++it) {
      if (same_data(*it->second, item)) earlier = it->second;
    }
    if (earlier == nullptr) {
      seen.emplace(hash, &item);
      continue;
    }
    std::string text = to_text(item);
    if (text.size() > 40) text = "this key";
    sink.error(Code::S008, item.span, fmt::format("{} stands twice in a {} literal", text, what))
        .notes.push_back({earlier->span, "it stands here first"});
  }
}

}  // namespace chancel
