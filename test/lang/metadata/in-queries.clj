;; Metadata survives forks and collections of the heap inside a query.
(defquery q [v]
  (let [w (reduce (fn [w i] (do (observe (flip 0.5) true) (conj w (sample (flip 0.5))))) v (range 200))]
    (predict :meta (meta w))
    (predict :count (count w))))
(def draws (take 20 (doquery :smc q [(with-meta [] {:k [1 2 3]})] :number-of-particles 10)))
(distinct (map (fn [d] (:meta (into {} (:predicts d)))) draws)) ;; expect: ({:k [1 2 3]})
(distinct (map (fn [d] (:count (into {} (:predicts d)))) draws)) ;; expect: (200)
