;; Two calls, one of which makes a sequence only for the other (compile/fuse.cpp), do what they say.
(dorun (map (fn [x] (println x)) [1 2]))
;; expect-out: 1
;; expect-out: 2
(dorun (map (fn [x y] (println (+ x y))) [1 2 3] '(10 20)))
;; expect-out: 11
;; expect-out: 22
(dorun (map inc [1 2])) ;; expect: nil
(dorun (map inc nil)) ;; expect: nil
(reduce + (map inc [1 2 3])) ;; expect: 9
(reduce + 10 (map inc '(1 2 3))) ;; expect: 19
(reduce + (map * [1 2 3] [4 5 6 7])) ;; expect: 32
(reduce + 0.5 (map * [1 2 3] (range 1 100))) ;; expect: 14.5
(reduce max (map - [3 1 2])) ;; expect: -1
(reduce conj [] (map inc #{4})) ;; expect: [5]
(reduce + (map inc [])) ;; expect: 0
(reduce + 7 (map inc nil)) ;; expect: 7
(reduce + (map * [] [1])) ;; expect: 0
(reduce - (map identity [5])) ;; expect: 5
;; A function of one's own may look at what has been done, or end early: all of map first inside a query.
(reduce (fn [a x] (if (> x 2) (reduced a) (+ a x))) 0 (map inc [0 1 2 3])) ;; expect: 3
(reduce get {:a {:b (reduced 4)}} (map identity [:a :b])) ;; expect: 4
;; Maps are sequences of entries.
(reduce + (map val {:a 1 :b 2})) ;; expect: 3
;; What fails has its place.
(reduce + (map first [1])) ;; expect-error: R001
(dorun (map 5 [1])) ;; expect-error: R002

(defquery draws [xs]
  (let [seen (atom [])]
    (dorun (map (fn [x y] (swap! seen conj (+ x y (if (sample (flip 1)) 1 0)))) xs [10 20 30]))
    [@seen (reduce + (map (fn [x] (if (sample (flip 1)) x 0)) xs)) (reduce + (map inc []))]))
(:result (first (doquery :importance draws [[1 2]]))) ;; expect: [[12 23] 3 nil]
(:result (first (doquery :lmh draws [[1 2]]))) ;; expect: [[12 23] 3 nil]
