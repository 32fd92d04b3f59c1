;; Ends.
;; Same in Clojure.
(first nil) ;; expect: nil
(second [1 2]) ;; expect: 2
(last nil) ;; expect: nil
(ffirst [[1]]) ;; expect: 1
(nfirst [[1 2]]) ;; expect: (2)
(fnext [1 2]) ;; expect: 2
(first {:a 1}) ;; expect: [:a 1]
(rest nil) ;; expect: ()
(next [1 2]) ;; expect: (2)
(rand-nth [7]) ;; expect: 7
