;; predict with a label; the states of doquery.
(defquery q [] (predict :a 1) (predict :b (+ 1 1)) :end)
(def state (first (doquery :importance q [])))
(:result state) ;; expect: :end
(:predicts state) ;; expect: [[:a 1] [:b 2]]
(:log-weight state) ;; expect: 0.0
(:a (get-predicts state)) ;; expect: 1
