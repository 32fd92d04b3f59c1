// SPDX-License-Identifier: Apache-2.0
// The log density of all draws and observes of a trace together, kept up as they change. It is their exact sum,
// rounded once (math/exact_sum.hpp): what a step changes is taken away and added, and the bits are those of a sum
// over everything, whether the step was run or worked out from a recording.
#pragma once
#include <cstddef>
#include <vector>

#include "math/exact_sum.hpp"

namespace chancel {

class JointDensity {
 public:
  // A term has changed, or all from there on, and their number.
  void score_changed(std::size_t i) { note(scores_, i); }
  void draw_changed(std::size_t i) { note(draws_, i); }
  void scores_changed_from(std::size_t i) { note_from(scores_, i); }
  void draws_changed_from(std::size_t i) { note_from(draws_, i); }

  // Asks for the terms that have changed: bool of_score(i, &x), of_draw(i, &x). False: one of them has said so.
  template <class OfScore, class OfDraw>
  bool value(double before, std::size_t scores, OfScore&& of_score, std::size_t draws,
             OfDraw&& of_draw, double* out) {
    if (!renew(scores_, scores, of_score) || !renew(draws_, draws, of_draw)) return false;
    if (!(before_ == before)) {
      sum_.subtract(before_);
      sum_.add(before_ = before);
    }
    *out = sum_.value();
    return true;
  }
  std::size_t bytes() const {
    return (scores_.terms.capacity() + draws_.terms.capacity()) * sizeof(double) +
           (scores_.changed.capacity() + draws_.changed.capacity()) * sizeof(std::size_t);
  }

 private:
  struct Terms {
    std::vector<double> terms;         // as they are in the sum
    std::vector<std::size_t> changed;  // of those before `from`
    std::size_t from = 0;              // all from here on may have changed
  };
  static void note(Terms& of, std::size_t i) {
    if (i >= of.from) return;
    if (of.changed.size() >= of.from) return note_from(of, 0);  // it is asked for rarely, if at all
    of.changed.push_back(i);
  }
  static void note_from(Terms& of, std::size_t i) {
    if (i < of.from) of.from = i;
    if (i == 0) of.changed.clear();
  }
  void set(double& term, double x) {
    if (term == x) return;
    sum_.subtract(term);
    sum_.add(x);
    term = x;
  }
  template <class Of>
  bool renew(Terms& of, std::size_t count, Of&& term_of) {
    double x;
    for (; !of.changed.empty(); of.changed.pop_back()) {
      const std::size_t i = of.changed.back();
      if (i >= of.from || i >= count) continue;
      if (!term_of(i, &x)) return false;
      set(of.terms[i], x);
    }
    for (; of.terms.size() > count; of.terms.pop_back()) sum_.subtract(of.terms.back());
    for (; of.from < count; ++of.from) {
      if (!term_of(of.from, &x)) return false;
      if (of.from == of.terms.size()) of.terms.push_back(0);
      set(of.terms[of.from], x);
    }
    of.from = count;
    return true;
  }

  Terms scores_, draws_;
  double before_ = 0;
  ExactSum sum_;
};

}  // namespace chancel
