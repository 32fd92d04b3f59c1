;; Bindings are computed once, at construction, in order, and readable.
(defdist shifted "A shifted uniform." [a] [b (* 2 a) c (+ a b)] (sample* [this] (+ a b c)) (observe* [this v] (- (double c))))
(def d (shifted 1))
(:b d) ;; expect: 2
(:c d) ;; expect: 3
(sample* d) ;; expect: 6
(observe* d 0) ;; expect: -3.0
