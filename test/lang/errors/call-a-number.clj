;; A literal that is no function.
(5 1) ;; expect-error: F012
