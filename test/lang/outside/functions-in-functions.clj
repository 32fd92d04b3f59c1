;; A run has the globals that functions inside functions name, with or without captured variables.
(defn worked-out [x] (into {} (for [k [:a :b]] [k x])))
(def ink "Not a literal." (worked-out 1))
(def more (worked-out 2))
(def most (worked-out 3))
(def last-one (worked-out 4))
(def by-value [(fn [k] (get last-one k))])
(defn total [ks] (reduce (fn [sum k] (+ sum (get ink k))) 0 ks))
(defn scaled [n ks] (map (fn [k] (* n (reduce (fn [sum k] (+ sum (get more k))) 0 [k]))) ks))
(def remembered (memoize (fn [k] (get most k))))
(defquery q [] (sample (flip 0.5)) [(total [:a :b]) (vec (scaled 10 [:a])) (remembered :a) ((first by-value) :b)])
(:result (first (doquery :importance q []))) ;; expect: [2 [20] 3 4]
(:result (first (doquery :smc q [] :number-of-particles 2))) ;; expect: [2 [20] 3 4]
