;; A vector as a function.
([1 2] 0) ;; expect: 1
([1 2] 2) ;; expect-error: R004
