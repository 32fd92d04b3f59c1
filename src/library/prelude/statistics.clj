;; SPDX-License-Identifier: Apache-2.0
;; What analysis code does with the states that doquery gives: {:log-weight :result :predicts}. Names of anglican.stat,
;; anglican.inference and anglican.state. Weighted values are a map or a sequence of pairs [x log-weight].

(defn get-log-weight
  "The log-weight of a state."
  [state]
  (:log-weight state))

(defn set-log-weight
  "The state with another log-weight."
  [state log-weight]
  (assoc state :log-weight log-weight))

(defn add-log-weight
  "The state with a number added to its log-weight."
  [state log-weight]
  (assoc state :log-weight (+ (:log-weight state) log-weight)))

(defn get-result
  "The value of the query in a state."
  [state]
  (:result state))

(defn get-variational
  "The proposals from which bbvb drew a state: {[id occurrence] {:distribution ..}}; nil for states of other engines."
  [state]
  (:variational state))

(defn get-predicts
  "The predicted values of a state as a map from label to value; the last value of a label counts."
  [state]
  (%into {} (:predicts state)))

(defn add-predict
  "The state with one more predicted value."
  [state label value]
  (assoc state :predicts (conj (:predicts state) [label value])))

(defn clear-predicts
  "The state without predicted values."
  [state]
  (assoc state :predicts []))

(defn stripdown
  "The state with only its log-weight, result and predicted values."
  [state]
  {:log-weight (:log-weight state) :result (:result state) :predicts (:predicts state)})

(defn drop-invalid
  "The states whose weight is not zero."
  [states]
  (filter (fn [state] (> (:log-weight state) Double/NEGATIVE_INFINITY)) states))

(defn log-marginal
  "The log of the mean weight of the states: an estimate of the log-evidence."
  [states]
  (log-mean-exp (mapv :log-weight states)))

(defn collect-by
  "A map from the values of f for the states to the log of their mean weight."
  [f states]
  (let [v (vec states)]
    (%collect-weights (mapv f v) (mapv :log-weight v))))

(defn collect-results
  "A map from the results of the states to the log of their mean weight."
  [states]
  (collect-by :result states))

(defn collect-predicts
  "A map from the predicted values under a label to the log of their mean weight."
  [label states]
  (collect-by (fn [state] (get (get-predicts state) label)) states))

(defn empirical-expectation
  "The expectation of (f x) over weighted values."
  [f weighted]
  (let [pairs (%normalised-pairs weighted)
        n (count pairs)]
    (loop [i 0 total 0.0]
      (if (< i n)
        (let [pair (%vector-nth pairs i)]
          (recur (inc i) (add total (mul (nth pair 1) (f (nth pair 0))))))
        total))))

(defn empirical-mean
  "The mean of weighted values."
  [weighted]
  (empirical-expectation identity weighted))

(defn empirical-variance
  "The variance of weighted values, element by element for arrays."
  [weighted]
  (let [m (empirical-mean weighted)]
    (empirical-expectation (fn [x] (square (sub x m))) weighted)))

(defn empirical-std
  "The standard deviation of weighted values, element by element for arrays."
  [weighted]
  (%array-sqrt (empirical-variance weighted)))

(defn empirical-covariance
  "The covariance matrix of weighted vectors."
  [weighted]
  (let [m (empirical-mean weighted)]
    (empirical-expectation (fn [x] (let [d (sub x m)] (outer-product d d))) weighted)))

(defn empirical-skew
  "The skewness of weighted values, element by element for arrays."
  [weighted]
  (let [m (empirical-mean weighted)
        s (empirical-std weighted)]
    (empirical-expectation (fn [x] (power (div (sub x m) s) 3)) weighted)))

(defn empirical-kurtosis
  "The kurtosis of weighted values, element by element for arrays; 3 for a normal distribution."
  [weighted]
  (let [m (empirical-mean weighted)
        s (empirical-std weighted)]
    (empirical-expectation (fn [x] (power (div (sub x m) s) 4)) weighted)))

(defn %equalize-from [current states]
  (lazy-seq
    (let [s (seq states)]
      (if s
        (let [proposed (first s)
              chosen (if (< (log (rand)) (- (:log-weight proposed) (:log-weight current)))
                       proposed
                       current)]
          (cons (assoc chosen :log-weight 0.0) (%equalize-from chosen (rest s))))
        nil))))

(defn equalize
  "States of equal weight: a Metropolis walk along weighted states."
  [states]
  (let [s (seq states)]
    (if s
      (%equalize-from (first s) (rest s))
      ())))

(defn KL
  "The Kullback-Leibler divergence of q from p, maps from values to probabilities, over the values that both have."
  [p q]
  (reduce-kv
    (fn [total x qx]
      (let [px (get p x 0)]
        (if (if (pos? px) (pos? qx) false)
          (+ total (* px (log (/ px (double qx)))))
          total)))
    0.0
    q))

(defn L2
  "The Euclidean distance of two maps from values to probabilities."
  [p q]
  (sqrt
    (reduce
      (fn [total x]
        (let [d (- (get p x 0) (get q x 0))]
          (+ total (* d d))))
      0.0
      (%distinct (%concat (keys p) (keys q))))))

(defn infer
  "The weighted states of a query, as doquery gives them."
  [algorithm query value & options]
  (apply doquery algorithm query value options))

(defn warmup
  "A query with its value; the engine prepares them once, before a run."
  [query value]
  [query value])

(defn %json-text [x]
  (if (number? x) (str (if (ratio? x) (double x) x)) (pr-str (str x))))

(defn print-predict
  "Prints a label, a value and a log-weight on a line, in the format :anglican, :clojure or :json."
  [label value log-weight output-format]
  (cond
    (= output-format :clojure) (prn [label value log-weight])
    (= output-format :json)
    (println (str "[" (pr-str (str label)) "," (%json-text value) "," (%json-text log-weight) "]"))
    :else (println (str (pr-str label) "," (pr-str value) "," (pr-str log-weight)))))

(defn print-predicts
  "Prints the predicted values of a state, one on a line."
  [state output-format]
  (doseq [[label value] (get-predicts state)]
    (print-predict label value (:log-weight state) output-format)))

(defn normalize
  "The numbers divided by their sum; of a map, its values."
  [weights]
  (if (map? weights)
    (let [total (reduce + (vals weights))]
      (update-vals weights (fn [w] (/ w total))))
    (let [total (reduce + weights)]
      (mapv (fn [w] (/ w total)) weights))))

(defn transform-sample
  "A draw of a multivariate normal distribution, made of independent draws of the standard normal distribution."
  [dist samples]
  (if (instance? mvn-distribution dist)
    (add (:mean dist) (mmul (cholesky (:cov dist)) (vec samples)))
    (throw (IllegalArgumentException. (str "transform-sample: not for " (pr-str dist))))))
