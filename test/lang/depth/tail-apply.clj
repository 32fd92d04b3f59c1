;; apply in tail position takes its caller's place: with fixed parameters, with a rest parameter, with data as function.
(defn down [n acc] (if (zero? n) acc (apply down [(dec n) (inc acc)])))
(down 300000 0) ;; expect: 300000
(defn spread [n & more] (if (zero? n) (count more) (apply spread (dec n) more)))
(spread 100000 :a :b :c) ;; expect: 3
(defn find-in [m k] (apply m [k]))
(find-in {:a 1} :a) ;; expect: 1
(defn sum-of [xs] (apply + xs))
(sum-of [1 2 3]) ;; expect: 6
