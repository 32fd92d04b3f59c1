;; Sampled and observed in a query.
(defdist always [x] (sample* [this] x) (observe* [this v] (if (= v x) -1.0 -2.0)))
(defquery q [] (observe (always 1) 1) (observe (always 1) 2) (sample (always :drawn)))
(def state (first (doquery :importance q [])))
(:result state) ;; expect: :drawn
(:log-weight state) ;; expect: -3.0
