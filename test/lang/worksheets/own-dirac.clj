;; Worksheets that define what is supplied here.
(defdist dirac "Dirac distribution" [x] (sample* [this] x) (observe* [this value] (if (= x value) 0 (- (/ 1.0 0.0)))))
(defquery q [] (sample (dirac 5)))
(:result (first (doquery :importance q []))) ;; expect: 5
