// SPDX-License-Identifier: Apache-2.0
// Delayed sampling (docs/decisions/016-delayed-sampling.md): a draw stays a node until its value is
// needed, and what is conjugate to it is summed out. The machine asks here (value/record_hook.hpp)
// wherever a node meets a function, a distribution, a sample, an observe or control. Where no exact
// way is known the value is drawn: that is always right, and only costs variance.
#pragma once
#include <functional>
#include <memory>
#include <optional>

#include "delay/draw_store.hpp"
#include "delay/finite.hpp"
#include "delay/gaussian.hpp"
#include "value/dist_object.hpp"
#include "value/record_hook.hpp"

namespace chancel {

class DelayedDraws final : public RecordHook {
 public:
  // `seats`: draws from a Chinese restaurant process are put off as well.
  explicit DelayedDraws(bool seats = true) : seats_(seats) {}

  Value call(NativeContext& cx, const NativeDef* native, const Value* args,
             std::uint32_t count) override;
  Value combine(NativeContext& cx, char op, const Value& a, const Value& b) override;
  Value construct(NativeContext& cx, const DistType* type, const Value* args,
                  std::uint32_t count) override;
  Value pin(NativeContext& cx, const Value& v) override;
  // For messages: what is not known is shown as 1.
  Value present(NativeContext& cx, const Value& v) override;
  bool test(NativeContext& cx, Test test, const Value& node) override;
  Value law(NativeContext& cx, const Value& node) override;
  Value callee(NativeContext& cx, const Value& node) override { return pin(cx, node); }
  Value call_data(NativeContext& cx, CallData call, const Value& f, const Value* args,
                  std::uint32_t count) override;
  int order(NativeContext& cx, const char* function, const Value& a, const Value& b) override;
  bool same(NativeContext& cx, const Value& a, const Value& b) override;
  Value sample(NativeContext&, const Value& dist, std::uint32_t, const Value&,
               const Value*) override {
    return dist;  // put_off() is asked instead
  }
  bool awaits_score() const override { return false; }
  void draw_score(const Value&) override {}
  bool observe(NativeContext& cx, const Value& dist, const Value& x, std::uint32_t site,
               double* log_prob) override;
  bool score(NativeContext& cx, const Value& log_prob, std::uint32_t site,
             double* present) override;

  bool delays() const override { return true; }
  bool put_off(NativeContext& cx, Value* v, std::uint32_t site, const Value& id) override;
  void draw_for_methods(NativeContext& cx, const Value& dist) override;
  bool estimated() const override { return estimated_; }
  void draw_from(Stream* stream) override { stream_ = stream; }
  const WantedDraw& wanted() const override { return wanted_; }
  bool waits(const NativeContext& cx) const override;
  void answer(NativeContext& cx, const Value& value) override;

 private:
  struct Power {  // coefficient * gamma^exponent
    double coefficient;
    DrawId gamma;
    double exponent;
  };
  using OfValues = std::function<Value(const Value* args)>;

  template <class F>
  auto in_store(NativeContext& cx, F&& work);
  NativeContext& cx() const { return store_.cx(); }
  bool ok() const { return cx().ok(); }

  // What is known of a node, if it needs no draw.
  std::optional<Value> settled(DrawId id) const;
  Value settle(const Value& v) const;  // the same; v itself where a draw is needed
  bool holds_open_nodes(const Value& v) const;
  // Draws what this node depends on. False: the context asks or fails.
  bool force(DrawId id);
  bool force_all(const Value& v);
  bool force_all(std::vector<DrawId> ids);
  bool ask(DrawId id, const Value& law, const DrawPlace& place);
  void take_value(DrawId id, const Value& value);
  Value pinned(const Value& v);
  Value call_pinned(const NativeDef* native, const Value* args, std::uint32_t count);

  // Forms.
  std::optional<AffineForm> affine(const Value& v) const;
  Value make_affine(const AffineForm& form);
  std::optional<Power> power(const Value& v) const;
  Value make_power(const Power& p);
  // The finite draw that a node is a function of; 0: none.
  DrawId finite_of(const Value& v) const;
  Value arithmetic(char op, Value a, Value b);
  std::optional<Value> symbolic(char op, const Value& a, const Value& b);
  Value function_of(const NativeDef* native, const Value* args, std::uint32_t count, bool* done);
  // The function for every value of the one finite draw among the arguments; none: not possible.
  std::optional<Value> lift(const Value* args, std::uint32_t count, const OfValues& function);

  // Distributions with nodes.
  struct Law {
    const DistType* type = nullptr;
    std::vector<Value> parameters;  // settled
  };
  Law read(const Value& dist) const;
  // The parameter that has to be drawn before anything can be done with such a law; none: all may stay
  // as they are, and the law is a right one.
  std::optional<std::size_t> needed(const Law& law);
  bool put_off_normal(const AffineForm& mean, const Value& sd, const DrawPlace& place, Value* out);
  bool put_off_mvn(const Law& law, const DrawPlace& place, Value* out);
  bool put_off_table(DrawId table, const DrawPlace& place, Value* out);
  bool put_off_plain(const Value& dist, const DrawPlace& place, Value* out);
  bool put_off_open(const Law& law, const Value& dist, const DrawPlace& place, Value* out);
  // The block that all terms are in; none: a draw was needed (see the context) or has been made.
  std::optional<DrawId> joined(const AffineForm& form);
  bool one_scale(DrawId block, DrawId scale);
  // The parameters of an mvn, mean and covariance, as they were given.
  static bool mvn_parameters(const DistType* type, const std::vector<Value>& given,
                             std::vector<Value>* mean, SmallMatrix* covariance);
  std::optional<double> observe_normal(const Law& law, double x);
  std::optional<double> observe_mvn(const Law& law, const Value& x);
  std::optional<double> observe_table(DrawId table, const Value& x);
  // Beta, gamma and Dirichlet draws with what is conjugate to them.
  std::optional<double> condition(const Law& law, const Value& x);
  DrawId conjugate_parent(const Law& law) const;  // 0: none
  Value predictive_law(const Law& law, DrawId parent);
  Law typical_of(const Law& law, DrawId parent);  // with the mean of its parent
  bool observed(const Value& dist, const Value& x, double* log_prob);

  bool seats_;
  DrawStore store_;
  Gaussians gaussians_{store_};
  FiniteDraws finite_{store_};
  int depth_ = 0;
  Stream* stream_ = nullptr;
  WantedDraw wanted_;
  bool estimated_ = false;
};

std::unique_ptr<RecordHook> make_delayed_draws(bool seats);

}  // namespace chancel
