;; Maps, sets, vectors and keywords are functions.
(defquery q [] (let [m {:a 1} v [10 20] s #{5} k :a] [(m :a) (v 1) (s 5) (k m) (map :a [{:a 1} {:a 2}]) (map m [:a :b])]))
(:result (first (doquery :importance q []))) ;; expect: [1 20 5 1 (1 2) (1 nil)]
