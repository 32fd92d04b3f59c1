;; A hard constraint that one in 216 executions satisfies: it is part of the first step, whose mean weight is
;; the evidence. Draws that come and go: the number of sixes needs as many dice.
(defquery dice []
  (let [n (sample (uniform-discrete 3 6))
        dice (loop [i 0 out []] (if (< i n) (recur (inc i) (conj out (sample (uniform-discrete 1 7)))) out))]
    (observe (dirac true) (= (count (filter (fn [d] (= d 6)) dice)) 3))
    n))
(def draws (take 2000 (doquery :anneal dice [] :number-of-particles 2000)))
;; P(3 sixes): 1/216, 5/324, 125/3888; a third of each.
(def evidence (/ (+ (/ 1 216) (/ 5 324) (/ 125 3888)) 3))
(< (abs (- (:log-weight (first draws)) (log evidence))) 0.5) ;; expect: true
(def share (/ (count (filter (fn [d] (= (:result d) 5)) draws)) 2000))
(< (abs (- share (/ (/ 125 3888) 3 evidence))) 0.1) ;; expect: true
