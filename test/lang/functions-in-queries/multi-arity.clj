;; Several arities and rest parameters.
(defquery q [] (let [f (fn ([x] (sample (dirac x))) ([x y] (+ (sample (dirac x)) y)) ([x y & more] (apply + x y more)))] [(f 1) (f 1 2) (f 1 2 3 4)]))
(:result (first (doquery :importance q []))) ;; expect: [1 3 10]
