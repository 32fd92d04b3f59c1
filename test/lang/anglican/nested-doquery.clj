;; doquery inside a query: draws of the inner query, the same for all who share them.
(defquery inner [p] (let [x (sample (flip p))] (observe (flip (if x 0.8 0.2)) true) x))
(defquery outer [n]
  (let [p (sample (uniform-continuous 0 1))
        states (take n (doquery :lmh inner [p]))
        again (map :result states)]
    (predict :same (= again (map :result states)))
    (predict :share (/ (count (filter identity again)) n))
    (predict :p p)
    [p again]))
(def states (doall (take 300 (doquery :importance outer [40]))))
(every? (fn [s] (:same (into {} (:predicts s)))) states) ;; expect: true
;; E[share] = E[0.8 p / (0.8 p + 0.2 (1 - p))] = 4/3 - 4/9 ln 4
(def mean-share (/ (reduce + (map (fn [s] (:share (into {} (:predicts s)))) states)) 300.0))
(< (Math/abs (- mean-share (- 4/3 (* 4/9 (Math/log 4))))) 0.06) ;; expect: true
;; Same seed, same bits, in every caller; more draws continue the same run.
(defquery both [] (let [s (doquery :smc inner [0.5])] [(map :result (take 3 s)) (map :result (take 100 s))]))
(let [[few many] (:result (first (doquery :importance both [])))] (= few (take 3 many))) ;; expect: true
;; Particles fork with what they share.
(defquery forked []
  (let [s (doquery :pgibbs inner [0.5] :number-of-particles 3)]
    (observe (flip 0.5) true)
    (let [x (sample (flip 0.5))]
      (observe (flip (if x 0.9 0.1)) true)
      (map :result (take 20 s)))))
(count (distinct (map :result (take 10 (doquery :smc forked [] :number-of-particles 10))))) ;; expect: 1
(:result (first (doquery :lmh (query (sample (flip 0.5)) (count (take 5 (doquery :importance inner [0.5])))) nil))) ;; expect: 5 ;; expect-warning: I009
(defquery nobody [] (first (doquery :importance inner [0.5] :number-of-particles 3))) ;; expect-warning: I002
(contains? (:result (first (doquery :importance nobody []))) :log-weight) ;; expect: true
