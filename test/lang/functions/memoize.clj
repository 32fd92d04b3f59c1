;; memoize calls once for each argument list.
;; Same in Clojure.
(def calls (atom 0))
(def slow (memoize (fn [x] (swap! calls inc) (* x x))))
(slow 3) ;; expect: 9
(slow 3) ;; expect: 9
(slow 4) ;; expect: 16
@calls ;; expect: 2
