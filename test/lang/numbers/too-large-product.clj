;; Squares without end.
(defn squares [n x] (if (= n 0) x (squares (dec n) (*' x x)))) ;; expect-error: R005
(squares 40 10)
