;; dotimes counts from zero.
;; Same in Clojure.
(def sum (atom 0))
(dotimes [i 5] (swap! sum + i)) ;; expect: nil
@sum ;; expect: 10
(dotimes [i 0] (swap! sum + 100)) ;; expect: nil
@sum ;; expect: 10
