;; SPDX-License-Identifier: Apache-2.0
;; Distributions made of others. They are written here so that what depends on draws in them can be recorded: their
;; log-probabilities are sums of those of their parts. Where all distributions in %support-of have one support, it is that
;; of the distribution, and its draws can be moved along a gradient (src/record/distribution_support.hpp).

(defdist mixture
  "One of several distributions, chosen by unnormalised weights; observing sums out the choice."
  [weights components]
  [choice (discrete weights)
   log-weights (%mixture-weights choice weights components)
   %support-of (vec components)]
  (sample* [this] (sample* (nth components (sample* choice))))
  (observe* [this x]
    (log-sum-exp (mapv (fn [w d] (+ w (observe* d x))) log-weights components))))

(defn %mixture-weights [choice weights components]
  (if (= (count weights) (count components))
    (mapv (fn [k] (observe* choice k)) (range (count weights)))
    (throw (str "mixture: " (count weights) " weights for " (count components) " distributions"))))

(defdist zero-inflated
  "Counts that are 0 with probability p, and else draws of a distribution; observing sums out which."
  [p dist]
  [extra (flip p)]
  (sample* [this] (if (sample* extra) 0 (sample* dist)))
  (observe* [this x]
    (let [usual (+ (log (- 1 p)) (observe* dist x))]
      (if (== x 0) (log-sum-exp (log p) usual) usual))))

(defn logistic
  "1 / (1 + e^-x); with two arguments the logistic distribution."
  ([x] (sigmoid x))
  ([loc scale] (%logistic loc scale)))

(defn generate
  "A predictive draw. After the last observe, engines with gradients redraw it for every draw that they keep."
  [dist]
  (sample dist))

(def distribution
  "The protocol of distributions."
  {:name 'distribution :methods ['sample* 'observe*]})

(def random-process
  "The protocol of random processes."
  {:name 'random-process :methods ['produce 'absorb]})
