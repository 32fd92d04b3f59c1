;; Ratios stay exact.
;; Same in Clojure.
(/ 1 3) ;; expect: 1/3
(/ 6 3) ;; expect: 2
(/ 6 4) ;; expect: 3/2
(/ 2) ;; expect: 1/2
(/ -1 3) ;; expect: -1/3
(/ 1 -3) ;; expect: -1/3
(+ 1/2 1/3) ;; expect: 5/6
(+ 1 1/2) ;; expect: 3/2
