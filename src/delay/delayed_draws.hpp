// SPDX-License-Identifier: Apache-2.0
// Delayed sampling (docs/decisions/016-delayed-sampling.md): a draw stays a symbolic node until its
// value is needed, and conjugate observes marginalise it. The machine calls this hook
// (vm/delay_hook.hpp) wherever a node reaches a function, a distribution, a sample, an observe
// or control flow. Where no exact rule applies the value is drawn, which is always correct and only
// costs variance.
#pragma once
#include <functional>
#include <memory>
#include <optional>

#include "delay/draw_store.hpp"
#include "delay/finite.hpp"
#include "delay/gaussian.hpp"
#include "value/dist_object.hpp"
#include "vm/delay_hook.hpp"

namespace chancel {

class DelayedDraws final : public DelayHook {
 public:
  // `seats`: draws from a Chinese restaurant process are put off as well.
  explicit DelayedDraws(bool seats = true) : seats_(seats) {}

  Value call(NativeContext& cx, const NativeDef* native, const Value* args,
             std::uint32_t count) override;
  Value combine(NativeContext& cx, char op, const Value& a, const Value& b) override;
  Value construct(NativeContext& cx, const DistType* type, const Value* args,
                  std::uint32_t count) override;
  Value pin(NativeContext& cx, const Value& v) override;
  // For messages: nodes without a value are shown as 1.
  Value present(NativeContext& cx, const Value& v) override;
  bool test(NativeContext& cx, Test test, const Value& node) override;
  Value distribution(NativeContext& cx, const Value& node) override;
  Value callee(NativeContext& cx, const Value& node) override { return pin(cx, node); }
  Value call_data(NativeContext& cx, CallData call, const Value& f, const Value* args,
                  std::uint32_t count) override;
  int order(NativeContext& cx, const char* function, const Value& a, const Value& b) override;
  bool same(NativeContext& cx, const Value& a, const Value& b) override;
  bool observe(NativeContext& cx, const Value& dist, const Value& x, std::uint32_t site,
               double* log_prob) override;
  bool score(NativeContext& cx, const Value& log_prob, std::uint32_t site,
             double* present) override;

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

  // The value of a node, if no draw is needed for it.
  std::optional<Value> known_value(DrawId id) const;
  Value resolve(const Value& v) const;  // the same; v itself if a draw is needed
  bool holds_open_nodes(const Value& v) const;
  // Draws everything this node depends on. False: the context waits for a draw, or has failed.
  bool force(DrawId id);
  bool force_all(const Value& v);
  bool force_all(std::vector<DrawId> ids);
  bool ask(DrawId id, const Value& distribution, const DrawAddress& place);
  void take_value(DrawId id, const Value& value);
  Value pinned(const Value& v);
  Value call_pinned(const NativeDef* native, const Value* args, std::uint32_t count);

  // Forms.
  std::optional<AffineForm> affine(const Value& v) const;
  Value make_affine(const AffineForm& form);
  std::optional<Power> power(const Value& v) const;
  Value make_power(const Power& p);
  // The finite draw of which a node is a function; 0: none.
  DrawId finite_of(const Value& v) const;
  Value arithmetic(char op, Value a, Value b);
  std::optional<Value> symbolic(char op, const Value& a, const Value& b);
  Value function_of(const NativeDef* native, const Value* args, std::uint32_t count, bool* done);
  // Tabulates the function over the values of the one finite draw among the arguments; none: not
  // possible.
  std::optional<Value> lift(const Value* args, std::uint32_t count, const OfValues& function);

  // A distribution whose parameters may hold nodes.
  struct Distribution {
    const DistType* type = nullptr;
    std::vector<Value> parameters;  // nodes that need no draw are replaced by their values
  };
  Distribution read(const Value& dist) const;
  // A parameter that must be drawn before such a distribution can be used; none: all parameters may
  // stay symbolic, and they are valid.
  std::optional<std::size_t> needed(const Distribution& distribution);
  bool put_off_normal(const AffineForm& mean, const Value& sd, const DrawAddress& place,
                      Value* out);
  bool put_off_mvn(const Distribution& distribution, const DrawAddress& place, Value* out);
  bool put_off_table(DrawId table, const DrawAddress& place, Value* out);
  bool put_off_plain(const Value& dist, const DrawAddress& place, Value* out);
  bool put_off_open(const Distribution& distribution, const Value& dist, const DrawAddress& place,
                    Value* out);
  // The block that contains all terms; none: a draw is needed (see the context) or has been made.
  std::optional<DrawId> joined(const AffineForm& form);
  bool one_scale(DrawId block, DrawId scale);
  // Mean and covariance of an mvn from its arguments.
  static bool mvn_parameters(const DistType* type, const std::vector<Value>& given,
                             std::vector<Value>* mean, SmallMatrix* covariance);
  std::optional<double> observe_normal(const Distribution& distribution, double x);
  std::optional<double> observe_mvn(const Distribution& distribution, const Value& x);
  std::optional<double> observe_table(DrawId table, const Value& x);
  // Beta, gamma and Dirichlet draws with what is conjugate to them.
  std::optional<double> condition(const Distribution& distribution, const Value& x);
  DrawId conjugate_parent(const Distribution& distribution) const;  // 0: none
  Value predictive_distribution(const Distribution& distribution, DrawId parent);
  Distribution typical_of(const Distribution& distribution,
                          DrawId parent);  // with the parent at its mean
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

std::unique_ptr<DelayHook> make_delayed_draws(bool seats);

}  // namespace chancel
