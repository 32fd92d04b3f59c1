;; Many kinds of brackets in each other.
;; Same in Clojure.
[{:a [#{1} '(2)]} [[[3]]]] ;; expect: [{:a [#{1} (2)]} [[[3]]]]
(get-in [{:a [10 20]}] [0 :a 1]) ;; expect: 20
