;; The methods of distributions were called sample and observe in early versions of Anglican.
(defdist certain [x] []
  (sample [this] x)
  (observe [this value] (if (= x value) 0.0 -1.0)))
(sample* (certain 3)) ;; expect: 3
(observe* (certain 3) 4) ;; expect: -1.0
(def d (reify distribution (sample [this] :drawn) (observe [this value] 0.5)))
(sample* d) ;; expect: :drawn
(observe* d 1) ;; expect: 0.5
