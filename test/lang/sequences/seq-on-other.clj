;; A number is not a sequence.
(first [1]) ;; expect: 1
(first 5) ;; expect-error: R001
