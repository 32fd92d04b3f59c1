;; A binding without a value.
(let [x 1 y] x) ;; expect-error: F003
