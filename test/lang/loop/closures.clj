;; Each turn has its own variables.
;; Same in Clojure.
(map #(%) (loop [i 0 fs []] (if (< i 3) (recur (inc i) (conj fs (fn [] i))) fs))) ;; expect: (0 1 2)
