;; A number as parameter.
(fn [x 5] x) ;; expect-error: F003
