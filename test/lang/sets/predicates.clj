;; Membership as a predicate.
;; Same in Clojure.
(filter #{1 3} [1 2 3 4]) ;; expect: (1 3)
(some #{3} [1 2 3]) ;; expect: 3
(some #{9} [1 2 3]) ;; expect: nil
(set? #{1}) ;; expect: true
(set? [1]) ;; expect: false
(every? #{1 2} [1 1 2]) ;; expect: true
(remove #{1} [1 2 1]) ;; expect: (2)
(distinct? 1 2 3) ;; expect: true
(distinct? 1 2 1) ;; expect: false
