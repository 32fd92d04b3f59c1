;; recur goes to the inner loop.
;; Same in Clojure.
(loop [i 0 total 0] (if (< i 3) (recur (inc i) (+ total (loop [j 0] (if (< j i) (recur (inc j)) j)))) total)) ;; expect: 3
