;; An end beyond the string.
(subs "abc" 2 9) ;; expect-error: R004
