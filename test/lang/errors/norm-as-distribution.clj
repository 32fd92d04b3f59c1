;; norm is the length of a vector; elsewhere it is a normal distribution.
(defquery q (predict :x (sample (norm 0 1)))) ;; expect-error: F002
