;; An element of a vector has no key but an integer.
;; Same in Clojure.
(get [10 20] 1) ;; expect: 20
(get [10 20] 1.0) ;; expect: nil
(get [10 20] 1.0 :none) ;; expect: :none
(get [10 20] 1.5) ;; expect: nil
(get-in [[1 2]] [0 1.0]) ;; expect: nil
(contains? [10 20] 1.0) ;; expect: false
(find [10 20] 1.0) ;; expect: nil
(nth [10 20] 1.0) ;; expect: 20
(get "abc" 1.0) ;; expect: \b
