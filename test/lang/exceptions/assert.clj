;; assert of a falsehood.
(assert true) ;; expect: nil
(assert (= 1 2)) ;; expect-error: R016
