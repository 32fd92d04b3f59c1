;; case compares with constants.
;; Same in Clojure.
(case 2 1 :one 2 :two) ;; expect: :two
(case 9 1 :one :other) ;; expect: :other
(case :k :k 1 2) ;; expect: 1
(case "s" "s" 1 2) ;; expect: 1
(case 3 (1 2) :low (3 4) :high) ;; expect: :high
(case 'x x 1 2) ;; expect: 1
(case nil nil 1 2) ;; expect: 1
(case \a \a 1 2) ;; expect: 1
(case [1 2] [1 2] :vec :no) ;; expect: :vec
(case true true 1 false 0) ;; expect: 1
(case 1.0 1 :int 1.0 :double) ;; expect: :double
