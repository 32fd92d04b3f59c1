;; The order of lines that :hoist true chooses: same values, labels as written.
(defquery q [y]
  (let [a (sample (dirac 1))
        b (sample (dirac 2))]
    (predict :b b)
    (observe (normal a 1) y)
    (predict :a a)
    [a b]))
(:result (first (doquery :smc q [1] :number-of-particles 2 :hoist true))) ;; expect: [1 2]
(:predicts (first (doquery :pgas q [1] :number-of-particles 2 :hoist true))) ;; expect: [[:b 2] [:a 1]]
(def by-scale (let [scale 2 f [1]] (query [] (let [a (sample (dirac 3)) b (sample (dirac f))] (observe (normal a scale) 3) [a b scale]))))
(:result (first (doquery :pimh by-scale nil :number-of-particles 2 :hoist true))) ;; expect: [3 [1] 2]
(defquery outer [] (sample ((conditional by-scale :smc :number-of-particles 2 :hoist true))))
(:result (first (doquery :importance outer []))) ;; expect: [3 [1] 2]
;; Called with a function, it keeps its order.
(defquery with-function [f] (let [a (f) b (f)] (observe (normal b 1) 2) [a b]))
(:result (first (doquery :smc with-function [(let [n (atom 0)] (fn [] (swap! n inc)))] :number-of-particles 1 :hoist true))) ;; expect: [1 2]
(first (doquery :smc q [1] :hoist 3)) ;; expect-error: I002
