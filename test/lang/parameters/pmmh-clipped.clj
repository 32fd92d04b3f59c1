;; Distributions that clip their draws (gamma and beta to their least and largest): their parameters move together, and a point that
;; has mass is reached all the same.
(defquery counts [ys]
  (let [rate (sample :rate (gamma 2 1))
        share (sample :share (beta 2 2))]
    (reduce (fn [_ y]
              (let [n (sample (poisson (* 20 rate)))]
                (observe (binomial n share) y)))
            nil
            ys)
    [rate share]))
(defn moves [query data & options]
  (let [draws (map :result (take 400 (apply doquery :pmmh query data options)))]
    (map (fn [a b] (mapv not= a b)) draws (rest draws))))
(def found (moves counts [[11 9 12 8 10 13 9 11]] :number-of-particles 50 :warmup 1000))
(pos? (count (filter (fn [m] (= m [true true])) found))) ;; expect: true

;; Half of the probability is at the least draw.
(defquery tiny []
  (let [a (sample :a (gamma 0.001 1))
        least (< a 1e-307)]
    (observe (flip (if least 0.3 0.6)) true)
    (let [x (sample (normal 0 1))]
      (observe (normal x 1) 0)
      (if least 1 0))))
(def mass (/ (exp (* 0.001 (log 1e-307))) (exp (log-gamma-fn 1.001))))
(defn mean [xs] (/ (reduce + xs) (count xs)))
(def share (mean (map :result (take 200000 (doquery :pmmh tiny [] :number-of-particles 2 :warmup 100)))))
(def exact (/ (* 0.3 mass) (+ (* 0.3 mass) (* 0.6 (- 1 mass)))))
(< (abs (- share exact)) 0.03) ;; expect: true
