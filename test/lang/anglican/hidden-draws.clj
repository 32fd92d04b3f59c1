;; sample*, rand and their like under single-site engines: fresh in each run of that part, in no trace; reported once.
(defquery coin []
  (let [x (sample (flip 0.5))
        noise (rand-int 4) ;; expect-warning: I009
        y (sample (flip (if x 0.6 0.3)))]
    (observe (flip (if (< noise 1) 0.9 (if y 0.8 0.1))) true)
    [x y noise]))
(defn share [algorithm pred]
  (let [states (take 40000 (drop 1000 (doquery algorithm coin [])))]
    (/ (count (filter pred (map :result states))) 40000.0)))
;; P(true) = 1/4 0.9 + 3/4 (0.8 P(y) + 0.1 (1 - P(y))) with P(y) = 0.45: 0.53625; of noise = 0: 0.225 of that
(def exact (/ 0.225 0.53625))
(defn close [algorithm] (< (Math/abs (- (share algorithm (fn [[x y n]] (= n 0))) exact)) 0.02))
(map close [:lmh :almh :rmh]) ;; expect: (true true true)
(map close [:plmh :palmh]) ;; expect: (true true)
;; The same seed gives the same bits: a stream that is made again as well.
(def a (doquery :lmh coin []))
(= (map :result (take 50 a)) (map :result (take 50 a))) ;; expect: true
;; shuffle, rand-nth, rand and sample* too.
(defquery others []
  (sample (flip 0.5))
  [(rand) (count (shuffle [1 2 3])) (rand-nth [5]) (sample* (dirac 2))]) ;; expect-warning: I009
(rest (:result (first (doquery :lmh others [])))) ;; expect: (3 5 2)
