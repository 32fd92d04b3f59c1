;; A name that is not there.
(+ 1 undefined-name) ;; expect-error: F001
