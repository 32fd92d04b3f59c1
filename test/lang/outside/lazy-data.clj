;; Lazy values made outside a query are worked out once, before an engine starts: all executions, all engines and the
;; top level see the same data, however deep it is hidden.
(def data (repeatedly 20 #(sample* (normal 0 1))))
(def mapped (map (fn [mu] (sample* (normal mu 1))) [1 2 3]))
(defrecord box [content])
(def nested [{:a (map (fn [x] [x (rand)]) [1 2])} (delay (rand)) (->box (repeatedly 2 rand)) (atom (repeatedly 2 rand))])
(def hidden (let [noise (repeatedly 3 rand)] (fn [] (vec noise))))
(defquery q [extra]
  (sample (normal 0 1))
  (observe (normal 0 1) 1)
  [(vec data) (vec mapped) (vec (:a (first nested))) @(second nested) (vec (:content (nth nested 2)))
   (vec @(nth nested 3)) (hidden) (vec extra)])
(defn different [algorithm] (count (distinct (map :result (take 50 (doquery algorithm q [(repeatedly 2 rand)]))))))
(different :importance) ;; expect: 1
(different :smc) ;; expect: 1
(different :pgibbs) ;; expect: 1
(different :pcascade) ;; expect: 1
(different :lmh) ;; expect: 1
(different :pgas) ;; expect: 1
(= (first (:result (first (doquery :smc q [[]])))) (vec data)) ;; expect: true
;; Sequences without end give as much as is asked for.
(def naturals (iterate inc 0))
(def noise (repeatedly #(sample* (normal 0 1))))
(def ticks (let [n (atom 0)] (repeatedly #(swap! n inc))))
(defquery endless
  (sample (normal 0 1))
  [(nth naturals 65550) (vec (take 3 noise)) (vec (take 3 ticks))])
(count (distinct (map :result (take 50 (doquery :smc endless nil))))) ;; expect: 1
(= (nth (:result (first (doquery :smc endless nil))) 1) (vec (take 3 noise))) ;; expect: true
(first (:result (first (doquery :smc endless nil)))) ;; expect: 65550
(nth (:result (first (doquery :smc endless nil))) 2) ;; expect: [1 2 3]
;; What never ends, or fails, does so only where it is needed.
(def never (filter neg? (iterate inc 0)))
(def broken (map #(/ 1 %) [1 0 2]))
(defquery first-of-broken (sample (normal 0 1)) (first broken))
(:result (first (doquery :importance first-of-broken nil))) ;; expect: 1
;; Sequences of sequences without end come to an end as well.
(def grid (repeatedly #(repeatedly rand)))
(defquery corner (sample (normal 0 1)) [(first (first grid)) (second (first grid))])
(count (distinct (map :result (take 50 (doquery :smc corner nil))))) ;; expect: 1
