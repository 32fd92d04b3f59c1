;; SPDX-License-Identifier: Apache-2.0
;; Functions of whole arrays: decompositions, softmax, order statistics.

(def points [-2.0 -1.1 -0.3 0.4 1.5 2.2])
(def heights [0.3 0.9 1.1 0.2 -0.8 -1.3])

(defm kernel [scale length]
  (mapv (fn [a] (mapv (fn [b] (+ (* scale scale (exp (* -0.5 (pow (/ (- a b) length) 2))))
                                 (if (= a b) 1e-3 0)))
                      points))
        points))

(defquery process-by-its-factor
  (let [length (sample (inverse-gamma 5 5))
        scale (sample (gamma 2 2))
        noise (sample (half-normal 1))
        z (vec (repeatedly (count points) #(sample (normal 0 1))))
        f (mmul (cholesky (kernel scale length)) z)]
    (doseq [[height at] (map vector heights f)] (observe (normal at noise) height))
    (predict :f f)))

(defquery process-by-hand
  (let [length (sample (inverse-gamma 5 5))
        scale (sample (gamma 2 2))
        k (kernel scale length)]
    (factor (* -0.5 (+ (log (det k)) (dot heights (mmul (inverse k) heights)))))
    (predict :weights (solve k heights))))

(defquery solutions
  (let [a (sample (normal 0 1)) b (sample (normal 0 1)) c (sample (normal 2 1))
        m [[(+ 3 (* a a)) b] [a (+ 3 (* c c))]]]
    (observe (normal (norm (solve m [c 1])) 1) 0.4)
    (observe (normal (sum (mmul (solve m [[1 a] [b 0]]) [1 2])) 1) 0.4)
    (observe (normal (trace (inverse m)) 1) 0.1)
    (observe (normal (det [[a b 1] [1 c a] [b b c]]) 1) 0.7)
    (observe (normal (det [[a a] [a a]]) 1) 0.2)
    (observe (normal (distance [a b] [c 1]) 1) 0.4)))

(defquery shares
  (let [scores (sample (mvn [0 0 0] (identity-matrix 3)))
        p (softmax (cons 0 scores))]
    (doseq [k [0 1 1 3 2 1]] (observe (discrete p) k))
    (observe (normal (log-mean-exp scores) 1) 0.5)
    (observe (mvn (clojure.core.matrix/exp scores) (diagonal-matrix (power (add scores 3) 2))) [1 2 0.5])
    (predict :p p)))

(defquery chosen-values
  (let [a (sample (normal 0 1)) b (sample (normal 0 1)) w (sample (dirichlet [1 2 3]))]
    (doseq [k [0 2 1 1]]
      (observe (discrete w) k)
      (observe (discrete [(exp a) 1 (sigmoid b)]) k)
      (observe (categorical-logit [a b (* a b)]) k)
      (observe (categorical-logit [a 0.5 -700]) (min k 1)))))

(defquery order-statistics
  (let [v (vec (repeatedly 5 #(sample (normal 0 1))))
        s (sort v)]
    (observe (normal (first s) 0.5) -1)
    (observe (normal (nth s 2) 0.1) 0.2)
    (observe (normal (first (sort > v)) 0.5) 1.5)
    (observe (normal (second (sort-by abs v)) 0.5) 0.3)
    (predict :sorted s)))

;; Not positive definite at many draws: the program goes another way there.
(defquery failures-are-control
  (let [x (sample (normal 0 2))
        l (try (cholesky [[1 x] [x 1]]) (catch :default e [[x 0] [0 x]]))]
    (observe (normal (get-in l [1 1]) 1) 0.4)
    (predict :l l)))

(defquery failures-of-what-is-only-shown
  (let [x (sample (normal 0 1.5))
        l (try (cholesky [[1 x] [x 1]]) (catch :default e :none))]
    (observe (normal x 1) 0.4)
    (predict :l l)))
