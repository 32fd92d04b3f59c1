// SPDX-License-Identifier: Apache-2.0
// How long a chain stays in one structure, and how often it comes back. The draws that a run predicts show nothing of a
// structure that the chain has left for good: a chain that spent its warm-up with one cluster and all of its draws with
// two may return only after more steps than were made. Its stays bound what it may have missed: if one took n of N
// steps and there was no second one, the share of that structure may be as much as 3 n / N (95 %, by the rates of
// leaving and entering it), unless its density is far below that of the others.
//
// A structure is seen twice: fine, by which draws there are, the values of discrete ones that are alone at their
// place, and which of the others are equal (the numbers of clusters do not count); and coarse, by how many draws and
// different values there are, since executions with many discrete draws change something in every step.
//
// Cost: a pass over the draws of an execution for each step that is looked at. Memory: kMost records.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/bytes.hpp"
#include "infer/divergence_places.hpp"
#include "value/value.hpp"

namespace chancel {

// Numbers that are equal for executions of equal structure.
struct StructureKeys {
  std::uint64_t fine = 0, coarse = 0;
};

// Of the draws of an execution, given in order.
class StructureReader {
 public:
  void begin();
  void draw(std::uint32_t site, const Value& id, const Value& value) {
    draw(seen(site, id, value));
  }
  StructureKeys end();

  // What matters of a draw.
  struct SeenDraw {
    std::uint64_t name;  // of its place
    std::uint32_t value;
    bool continuous;
  };
  static SeenDraw seen(std::uint32_t site, const Value& id, const Value& value);
  void draw(const SeenDraw& seen);

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Entry {
    std::uint32_t place;  // in places_
    std::uint32_t value,
        order;  // of a discrete one: among the different values at its place; else kNone
  };
  struct Place {
    std::uint64_t name;
    std::uint32_t draws, values;
    std::uint32_t first;  // value, where there is one
  };
  // Numbers by key, in a table that is emptied at no cost.
  class Table {
   public:
    void clear();
    // The number of the key, which gets `next` when it is new.
    std::uint32_t number(std::uint64_t key, std::uint32_t next);

   private:
    struct Slot {
      std::uint64_t key;
      std::uint32_t number, round;
    };
    void grow();
    std::vector<Slot> slots_;
    std::size_t used_ = 0;
    std::uint32_t round_ = 0;
  };
  std::vector<Entry> entries_;
  std::vector<Place> places_;
  Table place_numbers_, value_orders_;
};

// A structure that chains stayed in for long.
struct StructureStay {
  std::uint64_t key = 0;
  std::uint64_t longest = 0, steps = 0;
  std::uint64_t visits = 0;  // times that a chain came to it, its start not counted
  RunningMoments density;    // log density, after the first steps of a stay
};

// One that they left and seldom came back to, although its density is not much lower.
struct SeldomVisited {
  std::uint64_t stay = 0, visits = 0;
  std::uint64_t steps = 0;  // of the chains in all
};

class StructureVisits {
 public:
  void step(const StructureKeys& keys, double log_density);
  void add(const StructureVisits& other);  // of another chain
  std::optional<SeldomVisited> seldom() const;

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  struct Track {
    std::vector<StructureStay> stays;
    std::unordered_map<std::uint64_t, std::size_t> index;  // of stays, by key
    std::uint64_t now = 0, length = 0, changes = 0;
    std::size_t slot(std::uint64_t key);  // stays.size(): not one of them
    void step(std::uint64_t key, double log_density);
  };
  std::array<Track, 2> tracks_;  // fine, coarse
  std::uint64_t steps_ = 0;
};

}  // namespace chancel
