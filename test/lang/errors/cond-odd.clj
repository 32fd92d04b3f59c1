;; cond needs pairs.
(cond true) ;; expect-error: F002
