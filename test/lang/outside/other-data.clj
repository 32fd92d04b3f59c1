;; What a query cannot reach is neither evaluated nor copied for its runs: an endless sequence costs nothing.
(def n (atom 0))
(def unrelated (repeatedly #(swap! n inc)))
(def used (map inc [1 2 3]))
(defn total [] (reduce + used))
(defprotocol Area (area [this]))
(defrecord Square [side] Area (area [this] (* (:side this) (total))))
(defquery q [x] (sample (flip 0.5)) [(total) (area (->Square x))])
(:result (first (doquery :smc q [2]))) ;; expect: [9 18]
@n ;; expect: 0
(defquery by-eval [] (sample (flip 0.5)) (eval '(reduce + (take 3 unrelated))))
(:result (first (doquery :importance by-eval []))) ;; expect: 6
;; Queries made by hand, functions as arguments, memoised and multimethods reach what they need.
(def table {:a 1 :b 2})
(def looked-up (mem (fn [k] (get table k))))
(defmulti kind first)
(defmethod kind :a [_] (:a table))
(defquery r [f] (sample (flip 0.5)) [(f) (looked-up :b) (kind [:a])])
(:result (first (doquery :lmh r [(fn [] (count table))]))) ;; expect: [2 2 1]
