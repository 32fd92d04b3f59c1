;; Draws from distributions made of others: along the gradient where their support is known, by single-site steps elsewhere.
(defn mean-of [f draws] (/ (reduce + (map (fn [state] (f (:result state))) draws)) (count draws)))
(defn close? [x expected tolerance] (or (< (abs (- x expected)) tolerance) x))
(defn draws-of [q] (take 6000 (drop 500 (doquery :nuts q []))))

;; x is one of two normals, with weights 0.3 N(0.5; 0, 3) and 0.7 N(0.5; 2, 2) once 0.5 is observed.
(defquery latent-mixture []
  (let [mu (sample (normal 0 1))
        x (sample (mixture [0.3 0.7] [(normal mu 1) (normal 2 1)]))]
    (observe (normal x 1) 0.5)
    x))
(close? (mean-of identity (draws-of latent-mixture)) 0.910 0.06) ;; expect: true

(defdist shifted [m] [] (sample* [this] (+ m (sample* (normal 0 1)))) (observe* [this x] (observe* (normal m 1) x)))
(defquery own-law []
  (let [mu (sample (normal 0 1))
        x (sample (shifted mu))]
    (observe (normal x 1) 0.5)
    [mu x]))
(def own (draws-of own-law))
(close? (mean-of first own) (/ 1 6.0) 0.07) ;; expect: true
(close? (mean-of second own) (/ 1 3.0) 0.07) ;; expect: true

(defquery more-zeros []
  (let [p (sample (beta 1 1))
        n (sample (zero-inflated p (poisson 3)))]
    (observe (normal n 1) 0.5)
    (if (= n 0) 1.0 0.0)))
(close? (mean-of identity (draws-of more-zeros)) 0.812 0.03) ;; expect: true

(defquery sorted-in-an-interval []
  (let [a (sample (gamma 30 10))] (sample (ordered (uniform-continuous 0 a) 2))))
(def sorted (draws-of sorted-in-an-interval))
(close? (mean-of first sorted) 1 0.06) ;; expect: true
(close? (mean-of second sorted) 2 0.06) ;; expect: true

(defquery cut-at-a-draw []
  (let [a (sample (gamma 3 1))] (sample (truncated (uniform-continuous 0 100) 0 a))))
(close? (mean-of identity (draws-of cut-at-a-draw)) 1.5 0.1) ;; expect: true

;; (phi 0 - phi 2) / (Phi 2 - 1/2)
(defquery cut-twice [] (sample (truncated (truncated (normal 0 1) 0 3) -1 2)))
(close? (mean-of identity (draws-of cut-twice)) 0.7228 0.04) ;; expect: true

;; A truth value stands for 1 in observes, and so in a mixture of them.
(defquery equal-values []
  (let [p (sample (beta 1 1))]
    (observe (mixture [1 1] [(flip p) (flip p)]) 1)
    p))
(close? (mean-of identity (draws-of equal-values)) (/ 2 3.0) 0.02) ;; expect: true

;; And 1.0 is 1 for distributions whose weights are draws.
(defquery as-real []
  (let [p (sample (beta 1 1))]
    (observe (discrete [p (- 1 p)]) 1.0)
    p))
(close? (mean-of identity (draws-of as-real)) (/ 1 3.0) 0.02) ;; expect: true
