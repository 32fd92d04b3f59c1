;; Pouring one collection into another.
;; Same in Clojure.
(into [] '(1 2)) ;; expect: [1 2]
(into {} {:a 1}) ;; expect: {:a 1}
(into #{} [1 1]) ;; expect: #{1}
(into (sorted-map) [[2 :b] [1 :a]]) ;; expect: {1 :a, 2 :b}
(into [1] nil) ;; expect: [1]
