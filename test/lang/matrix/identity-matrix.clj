;; core.matrix takes the first of two arguments for an implementation, whatever it is.
(identity-matrix 2) ;; expect: [[1.0 0.0] [0.0 1.0]]
(identity-matrix 2 2) ;; expect: [[1.0 0.0] [0.0 1.0]]
