;; Quantifiers.
;; Same in Clojure.
(every? odd? [1 3]) ;; expect: true
(every? odd? []) ;; expect: true
(some odd? [2 3]) ;; expect: true
(some odd? [2]) ;; expect: nil
(not-any? odd? [2]) ;; expect: true
(not-every? odd? [1 2]) ;; expect: true
(some #(if (> % 1) %) [1 2 3]) ;; expect: 2
