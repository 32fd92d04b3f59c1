;; A local may have the name of a library function.
;; Same in Clojure.
(let [count 5] count) ;; expect: 5
(let [list [1 2]] (first list)) ;; expect: 1
(let [map {:a 1}] (:a map)) ;; expect: 1
((fn [first] (+ first 1)) 1) ;; expect: 2
(let [+ -] (+ 5 3)) ;; expect: 2
