;; What is a map.
;; Same in Clojure.
(map? {}) ;; expect: true
(map? (sorted-map)) ;; expect: true
(map? []) ;; expect: false
(empty? {}) ;; expect: true
(empty {:a 1}) ;; expect: {}
(not-empty {}) ;; expect: nil
(not-empty {:a 1}) ;; expect: {:a 1}
(every? keyword? (keys {:a 1})) ;; expect: true
