// SPDX-License-Identifier: Apache-2.0
// Draws of finite support that were put off, in trees like those of gaussian.hpp: a root has its
// probabilities, another one has them for each value of its parent. Along a chain the root that
// moves is the forward filter of a hidden Markov model.
#pragma once
#include "delay/draw_store.hpp"

namespace chancel {

struct FiniteDraw {
  DrawId parent = 0;  // none: a root
  DrawPlace place;
  Value values = Value::nil();  // the support, a vector
  std::vector<double> chances;  // by value; with a parent: a row for each of its values
  std::size_t size() const { return values.as<Vector>()->count; }
};

class FiniteDraws {
 public:
  explicit FiniteDraws(DrawStore& store) : store_(store) {}
  DrawId add(const FiniteDraw& draw);
  FiniteDraw load(DrawId id) const;  // a parent that is known is taken in
  FiniteDraw root_at(DrawId id);
  // Multiplies the chances of a root with exp(log_likelihood) and gives the log of their sum.
  double condition(DrawId root, const std::vector<double>& log_likelihood);
  void set_value(DrawId id, const Value& value);

 private:
  void save(DrawId id, const FiniteDraw& draw);
  void turn_round(DrawId parent, DrawId child);
  DrawStore& store_;
};

}  // namespace chancel
