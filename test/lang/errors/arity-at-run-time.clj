;; A function of the program, called through a variable.
(def f (fn [x] x))
((identity f) 1 2) ;; expect-error: R002
