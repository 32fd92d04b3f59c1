;; Every way of observing reads 1, 1.0 and true alike.
(defquery q [xs]
  (let [p (sample (categorical {0.2 1, 0.8 1}))]
    (loop [xs xs]
      (if (seq xs)
        (do (observe (flip p) (first xs)) (observe (bernoulli p) (first xs)) (recur (rest xs)))
        p))))
(defn share [xs]
  (let [ds (filter (fn [d] (= 0.8 (:result d))) (take 2 (doquery :enumerate q [xs])))]
    (:log-weight (first ds))))
(= (share [true true false]) (share [1 1 0]) (share [1.0 1.0 0.0])) ;; expect: true
