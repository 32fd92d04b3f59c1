;; Parts of maps.
;; Same in Clojure.
(keys {:a 1 :b 2}) ;; expect: (:a :b)
(vals {:a 1 :b 2}) ;; expect: (1 2)
(keys {}) ;; expect: nil
(seq {:a 1}) ;; expect: ([:a 1])
(first {:a 1}) ;; expect: [:a 1]
(key (first {:a 1})) ;; expect: :a
(val (first {:a 1})) ;; expect: 1
(map key {:a 1 :b 2}) ;; expect: (:a :b)
(into {} [[:a 1] [:b 2]]) ;; expect: {:a 1, :b 2}
