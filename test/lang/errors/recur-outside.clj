;; recur with nothing to go back to.
(recur 1) ;; expect-error: F004
