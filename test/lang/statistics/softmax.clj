;; Weights from log-weights.
(softmax [0 0]) ;; expect: [0.5 0.5]
(format "%.4f" (first (softmax [(log 3) 0]))) ;; expect: "0.7500"
