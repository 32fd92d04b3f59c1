;; Forty lazy sequences of doquery, read in turn: those that had to give up their engine continue where they were.
(defquery q (predict :x (sample (uniform-discrete 0 5))))
(def streams (mapv (fn [_] (doquery :enumerate q nil)) (range 40)))
(defn x-of [state] (second (first (:predicts state))))
(def rounds (mapv (fn [n] (mapv (fn [s] (x-of (nth s n))) streams)) (range 5)))
(distinct (map (fn [i] (count (set (map (fn [r] (nth r i)) rounds)))) (range 40))) ;; expect: (5)
(count (filter nil? (map (fn [s] (nth s 5 nil)) streams))) ;; expect: 40
