;; Work that needs no draw is done when a run starts, with the values that executions would find.
(defn results [query value] (vec (map :result (take 2 (doquery :importance query value)))))

;; Sequences of the argument, shared by all executions, and parts of other such parts.
(defquery pairs [xs ys]
  (let [a (sample (flip 1))
        both (map vector xs ys)
        n (count both)]
    [a n (map (fn [[x y]] (+ x y)) both) (vec (range n)) (reduce + (map first both))]))
(results pairs [[1 2 3] [10 20 30]]) ;; expect: [[true 3 (11 22 33) [0 1 2] 6] [true 3 (11 22 33) [0 1 2] 6]]
(results pairs [[1] [10]]) ;; expect: [[true 1 (11) [0] 1] [true 1 (11) [0] 1]]
;; The same text with data for which a part fails, and with data for which it does not.
(defquery third [xs] (let [a (sample (flip 0.5))] (if (< (count xs) 3) :short (nth xs 2))))
(results third [[1 2 3]]) ;; expect: [3 3]
(results third [[1]]) ;; expect: [:short :short]
(results third [[4 5 6]]) ;; expect: [6 6]

;; Local functions that need no draw.
(defquery local-functions [xs]
  (let [square (fn [x] (* x x))
        total (fn [all] (reduce + (map square all)))
        a (sample (flip 1))]
    (if a (total xs) (square a))))
(results local-functions [[1 2 3]]) ;; expect: [14 14]
;; Recursion, maps, strings, sets, a loop, and what the query captures.
(defn with-base [base]
  (query [xs]
    (let [a (sample (flip 1))
          fact (fn f [n] (if (< n 2) 1 (* n (f (dec n)))))]
      [(fact base) (str base "!") (get {:k base} :k) (contains? (set xs) base)
       (loop [i 0 sum 0] (if (= i base) sum (recur (inc i) (+ sum i))))])))
(results (with-base 5) [[4 5]]) ;; expect: [[120 "5!" 5 true 10] [120 "5!" 5 true 10]]
(results (with-base 3) [[4 5]]) ;; expect: [[6 "3!" 3 false 3] [6 "3!" 3 false 3]]

;; Infinite sequences stay what they are.
(defquery endless [n] (let [a (sample (flip 1)) odd (iterate (fn [x] (+ x 2)) 1)] (vec (take n odd))))
(results endless [3]) ;; expect: [[1 3 5] [1 3 5]]
;; What draws, remembers or counts is done by each execution.
(def calls (atom 0))
(defquery remembers [n]
  (let [f (mem (fn [i] (sample (uniform-discrete 0 1000000))))
        a (sample (flip 1))]
    (= (map f (range n)) (map f (range n)))))
(results remembers [4]) ;; expect: [true true]
(defquery own-atom [n] (let [a (sample (flip 1)) c (atom 0)] (swap! c inc) (swap! c inc) @c))
(results own-atom nil) ;; expect: [2 2]
;; A program that is changed between two runs.
(defn scale [x] (* 2 x))
(defquery scaled [xs] (let [a (sample (flip 1))] (map scale xs)))
(results scaled [[1 2]]) ;; expect: [(2 4) (2 4)]
(defn scale [x] (* 3 x))
(results scaled [[1 2]]) ;; expect: [(3 6) (3 6)]
(defn scale [x] (if (sample (flip 1)) x 0))
(results scaled [[1 2]]) ;; expect: [(1 2) (1 2)]
;; A mistake that executions come to has its place.
(defquery fails [xs]
  (let [a (sample (flip 1))]
    (if a (nth xs 9) 0))) ;; expect-error: R004
(results fails [[1]])
