;; clojure.core.memoize: its functions remember results; their limits are not kept.
(require '[clojure.core.memoize :as memo])
(def calls (atom 0))
(defn slow [x] (swap! calls inc) (* x x))
(def quick (memo/memo slow))
(def least (memo/lru slow :lru/threshold 2))
[(quick 3) (quick 3) @calls] ;; expect: [9 9 1]
[(least 4) (least 4) @calls] ;; expect: [16 16 2]
((memo/fifo slow {} :fifo/threshold 2) 5) ;; expect: 25
((memo/ttl slow :ttl/threshold 1000) 6) ;; expect: 36
