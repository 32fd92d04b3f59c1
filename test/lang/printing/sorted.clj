;; Sorted collections print in order.
;; Same in Clojure.
(sorted-map :b 2 :a 1) ;; expect: {:a 1, :b 2}
(sorted-set 3 1 2) ;; expect: #{1 2 3}
(str (sorted-map 2 :b 1 :a)) ;; expect: "{1 :a, 2 :b}"
