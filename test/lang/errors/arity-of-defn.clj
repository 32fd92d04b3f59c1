;; A function of the program.
(defn two [a b] [a b])
(two 1) ;; expect-error: F005
