// SPDX-License-Identifier: Apache-2.0
// Delayed draws of finite support, in trees like those of gaussian.hpp: a root has a vector of
// probabilities, every other node a row of them for each value of its parent. Moving the root along
// a chain is the forward filter of a hidden Markov model.
#pragma once
#include "delay/draw_store.hpp"

namespace chancel {

struct FiniteDraw {
  DrawId parent = 0;  // none: a root
  DrawAddress place;
  Value values = Value::nil();  // the support, a vector
  std::vector<double>
      chances;  // probabilities by value; with a parent: a row for each of its values
  std::size_t size() const { return values.as<Vector>()->count; }
};

class FiniteDraws {
 public:
  explicit FiniteDraws(DrawStore& store) : store_(store) {}
  DrawId add(const FiniteDraw& draw);
  FiniteDraw load(DrawId id) const;  // conditioned on its parent, if the parent's value is known
  FiniteDraw root_at(DrawId id);
  // Multiplies the probabilities of a root by exp(log_likelihood), normalises them, and gives the
  // log of their sum before.
  double condition(DrawId root, const std::vector<double>& log_likelihood);
  void set_value(DrawId id, const Value& value);

 private:
  void save(DrawId id, const FiniteDraw& draw);
  void turn_round(DrawId parent, DrawId child);
  DrawStore& store_;
};

}  // namespace chancel
