;; Work that needs no draw is done when a run starts. What no execution comes to must not fail there, and what
;; never ends must not be waited for: (sample (flip 0)) is false in every execution.
(defn results [query value] (vec (map :result (take 3 (doquery :importance query value)))))
(defmacro unreached [name expression] `(defquery ~name [n#] (if (sample (flip 0)) ~expression :fine)))

(unreached divides (/ 1 0))
(results divides nil) ;; expect: [:fine :fine :fine]
(unreached not-a-number (+ 1 "two"))
(results not-a-number nil) ;; expect: [:fine :fine :fine]
(unreached past-the-end (nth [1 2 3] 7))
(results past-the-end nil) ;; expect: [:fine :fine :fine]
(unreached no-function ((first [1 2]) 3))
(results no-function nil) ;; expect: [:fine :fine :fine]
(unreached wrong-count ((fn [x] x) 1 2))
(results wrong-count nil) ;; expect: [:fine :fine :fine]
(unreached bad-scale (sqrt (count (normal 0 -1))))
(results bad-scale nil) ;; expect: [:fine :fine :fine]
(unreached of-nothing (reduce max (map inc [])))
(results of-nothing nil) ;; expect: [:fine :fine :fine]
(unreached bad-text (Integer/parseInt "twelve"))
(results bad-text nil) ;; expect: [:fine :fine :fine]
(unreached throws (throw (ex-info "never" {})))
(results throws nil) ;; expect: [:fine :fine :fine]
(unreached checks (assert (= 1 2)))
(results checks nil) ;; expect: [:fine :fine :fine]

(unreached counts (count (range)))
(results counts nil) ;; expect: [:fine :fine :fine]
(unreached collects (vec (iterate inc 0)))
(results collects nil) ;; expect: [:fine :fine :fine]
(unreached sums (reduce + (range)))
(results sums nil) ;; expect: [:fine :fine :fine]
(unreached applies (apply + (repeat 1)))
(results applies nil) ;; expect: [:fine :fine :fine]
(unreached loops (loop [i 0] (recur (inc i))))
(results loops nil) ;; expect: [:fine :fine :fine]
(unreached sorts (sort (cycle [3 1 2])))
(results sorts nil) ;; expect: [:fine :fine :fine]
(unreached recurs-deep ((fn f [i] (+ 1 (f (inc i)))) 0))
(results recurs-deep nil) ;; expect: [:fine :fine :fine]
(unreached text (apply str (repeat "x")))
(results text nil) ;; expect: [:fine :fine :fine]
(unreached searches (first (filter neg? (range))))
(results searches nil) ;; expect: [:fine :fine :fine]
(unreached grows (loop [all [1]] (recur (into all all))))
(results grows nil) ;; expect: [:fine :fine :fine]
(unreached squares (reduce *' (range 1 100000)))
(results squares nil) ;; expect: [:fine :fine :fine]

;; In functions that are never called, too.
(defquery never-called [xs]
  (let [worst (fn [] (nth xs 100))
        x (sample (flip 0))]
    (if x (worst) (count xs))))
(results never-called [[1 2 3]]) ;; expect: [3 3 3]
