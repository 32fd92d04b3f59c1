;; Draws from distributions over matrices, sorted vectors and intervals move along gradients: moments of the prior.
(defn mean-of [f draws] (/ (reduce + (map (fn [state] (f (:result state))) draws)) (count draws)))
(defn close? [x expected tolerance] (or (< (abs (- x expected)) tolerance) x))
(defn draws-of [q] (take 3000 (drop 500 (doquery :nuts q []))))

(defquery correlations [] (sample (lkj 3 2)))
(def rs (draws-of correlations))
(close? (mean-of (fn [r] (pow (get-in r [2 1]) 2)) rs) (/ 1 6.0) 0.02) ;; expect: true
(close? (mean-of (fn [r] (pow (get-in r [1 0]) 2)) rs) (/ 1 6.0) 0.02) ;; expect: true

(defquery factors [] (sample (lkj-cholesky 3 2)))
(def ls (draws-of factors))
(close? (mean-of (fn [l] (pow (get-in l [2 0]) 2)) ls) (/ 1 6.0) 0.02) ;; expect: true
(close? (mean-of (fn [l] (+ (* (get-in l [1 0]) (get-in l [2 0])) (* (get-in l [1 1]) (get-in l [2 1])))) ls) 0 0.03) ;; expect: true

(defquery scatter [] (sample (wishart 6 [[0.5 0.2] [0.2 1]])))
(def ws (draws-of scatter))
(close? (mean-of (fn [w] (get-in w [0 0])) ws) 3 0.2) ;; expect: true
(close? (mean-of (fn [w] (get-in w [1 0])) ws) 1.2 0.2) ;; expect: true

(defquery covariances [] (sample (inverse-wishart 9 [[3 1] [1 2]])))
(close? (mean-of (fn [w] (get-in w [0 0])) (draws-of covariances)) 0.5 0.05) ;; expect: true

(defquery sorted [] (sample (ordered (normal 1 2) 2)))
(def os (draws-of sorted))
(close? (mean-of (fn [o] (- (nth o 1) (nth o 0))) os) (/ 4 (sqrt Math/PI)) 0.15) ;; expect: true

(defquery waits [] (sample (ordered (exponential 1) 2)))
(def es (draws-of waits))
(close? (mean-of first es) 0.5 0.05) ;; expect: true
(close? (mean-of second es) 1.5 0.12) ;; expect: true

(defquery inside [] (let [s (sample (truncated (normal 0 1) 0 ##Inf))] (observe (normal s 1) 1) s))
(def ts (draws-of inside))
(close? (mean-of identity ts) (+ 0.5 (/ (exp -0.25) (sqrt Math/PI) (+ 1 (erf 0.5)))) 0.05) ;; expect: true
