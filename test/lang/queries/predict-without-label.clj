;; Without a label the expression itself is the label.
(defquery q [x] (predict (+ x 1)))
(:predicts (first (doquery :importance q [1]))) ;; expect: [[(+ x 1) 2]]
