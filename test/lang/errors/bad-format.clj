;; No such conversion.
(format "%q" 1) ;; expect-error: R009
