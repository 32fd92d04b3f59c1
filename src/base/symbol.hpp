// SPDX-License-Identifier: Apache-2.0
// Interned names. Symbols and keywords of programs are pointers to one Name per spelling, so that
// comparing two names is comparing two pointers. Names live until the process ends. Interning takes
// a lock, reading does not; an execution interns only where it makes names from text (keyword,
// symbol, gensym), and pays for new ones out of its memory limit.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace chancel {

struct Name {
  std::string full;            // "clojure.core/map" or "map"
  std::string_view ns;         // "clojure.core" or ""
  std::string_view base;       // "map"
  std::uint32_t symbol_hash;   // Clojure's hasheq of the symbol
  std::uint32_t keyword_hash;  // Clojure's hasheq of the keyword
};

// The one Name with this spelling. A '/' that is neither first nor the whole name splits namespace
// and base.
const Name* intern(std::string_view full);
// The same; adds to `grown` what the table of names has grown by. Programs that make names as they
// run pay for them.
const Name* intern(std::string_view full, std::size_t& grown);
const Name* intern(std::string_view ns, std::string_view base);

}  // namespace chancel
