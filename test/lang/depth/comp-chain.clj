;; A chain of a thousand composed functions.
;; Same in Clojure.
((apply comp (repeat 1000 inc)) 0) ;; expect: 1000
((reduce (fn [f _] (fn [x] (inc (f x)))) identity (range 1000)) 0) ;; expect: 1000
