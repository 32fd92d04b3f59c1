;; A string as label.
(defquery q [] (predict "label" 1))
(:predicts (first (doquery :importance q []))) ;; expect: [["label" 1]]
