;; The end of the text comes before the closing bracket.
(+ 1 2) ;; expect: 3
(+ 1 [2 3) ;; expect-error: S002
