;; Inside a query, too, a lazy sequence is what it holds: as a key, an argument of a memoised function, an observed value.
(defn lazily [& xs] (lazy-seq xs))
(defquery q []
  (let [f (mem (fn [k] (sample (normal 0 1))))
        g (mem (fn [k l] (sample (normal 0 1))))]
    [(= (f (lazily 1 2)) (f (lazily 1 2)) (f [1 2]))
     (= (g 1 [(lazily 2)]) (g 1 [[2]]))
     (get {(lazily 1 2) :found} [1 2])
     (get (assoc {} [1 (lazily 2)] :found) [1 [2]])
     (contains? #{(lazily 1)} [1])
     (count (set [(lazily 1) (lazily 1) [1]]))
     (count (frequencies [(lazily 1) [1]]))
     (= {(lazily 1) 2} {[1] 2})
     (= (hash (lazily 1 [2])) (hash [1 [2]]))
     (do (store (lazily 1) 5) (retrieve [1]))]))
(:result (first (doquery :importance q []))) ;; expect: [true true :found :found true 1 1 true true 5]
(defquery observed []
  (observe (mvn [0 0] [[1 0] [0 1]]) (lazily 1.0 2.0))
  (observe (categorical [[[1 2] 0.5] [[1 3] 0.5]]) (lazily 1 2))
  (observe (categorical [[(lazily 1 2) 0.5] [[1 3] 0.5]]) [1 2])
  (observe (dirac (lazily 1 [2])) [1 [2]]))
(< (abs (- (:log-weight (first (doquery :importance observed []))) (- (- 0 2.5) (log (* 2 Math/PI)) (log 4)))) 1e-12) ;; expect: true
