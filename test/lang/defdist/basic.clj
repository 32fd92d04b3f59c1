;; A distribution of the program's own.
(defdist always [x] [] (sample* [this] x) (observe* [this v] (if (= v x) 0.0 (Math/log 0))))
(def d (always 5))
(sample* d) ;; expect: 5
(observe* d 5) ;; expect: 0.0
(observe* d 6) ;; expect: ##-Inf
(:x d) ;; expect: 5
