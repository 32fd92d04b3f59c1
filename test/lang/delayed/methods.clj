;; Methods of the program's own distributions see what atoms and memoised functions have put off.
(defdist shifted [where]
  (sample* [this] (+ (where) (sample* (normal 0 1))))
  (observe* [this x] (observe* (normal (where) 1) x)))
(defquery q []
  (let [kept (atom (sample (normal 1 1)))
        remembered (mem (fn [k] (sample (normal k 1))))
        first-one (remembered 1)
        y (sample (shifted (fn [] @kept)))
        z (sample (shifted (fn [] (remembered 1))))]
    (observe (shifted (fn [] (remembered 1))) 0.3)
    (observe (normal y 1) 0.5)
    [(number? y) (number? z) (= first-one (remembered 1)) (< -9 (- y @kept) 9)]))
(:result (first (doquery :smc q [] :delayed true :number-of-particles 3))) ;; expect: [true true true true]
(:result (first (doquery :pgas q [] :delayed true :number-of-particles 3))) ;; expect: [true true true true]
(:result (first (doquery :importance q [] :delayed true))) ;; expect: [true true true true]
