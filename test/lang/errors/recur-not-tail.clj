;; At top level recur must be in tail position.
(loop [n 3] (if (zero? n) 0 (+ 1 (recur (dec n))))) ;; expect-error: F004
