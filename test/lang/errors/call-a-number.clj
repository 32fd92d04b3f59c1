;; A call of a literal that is not a function.
(5 1) ;; expect-error: F012
