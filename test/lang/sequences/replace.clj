;; replace with a map.
;; Same in Clojure.
(replace {1 :one} [1 2 1]) ;; expect: [:one 2 :one]
(replace [:a :b] [0 1 0]) ;; expect: [:a :b :a]
