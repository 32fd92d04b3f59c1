;; Functions of plain numbers that are called often.
;; Same in Clojure.
(defn fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(fib 20) ;; expect: 6765
(fib 20.0) ;; expect: 6765.0
(defn ack [m n] (cond (= m 0) (inc n) (= n 0) (ack (dec m) 1) :else (ack (dec m) (ack m (dec n)))))
(ack 2 60) ;; expect: 123
(declare odd-one?)
(defn even-one? [n] (if (= n 0) true (odd-one? (- n 1))))
(defn odd-one? [n] (if (= n 0) false (even-one? (- n 1))))
(count (filter even-one? (range 300))) ;; expect: 150
(defn half [n] (if (= n 0) 0 (/ n 2)))
(reduce + (map half (range 3002))) ;; expect: 4504501/2
(defn steps [n] (loop [n n c 0] (if (= n 1) c (recur (if (even? n) (quot n 2) (+ 1 (* 3 n))) (inc c)))))
(reduce max (map steps (range 1 3000))) ;; expect: 216
(defn down [n] (if (= n 0) 0 (+ 1 (down (- n 1)))))
(down 2000) ;; expect: 2000
(defn either [x] (if (pos? x) x (str x)))
(mapv either [1 -1 2.5 -2.5]) ;; expect: [1 "-1" 2.5 "-2.5"]
(last (map either (range -5000 5))) ;; expect: 4
(defn adder [k] (fn [x] (+ x k)))
(def add-three (adder 3))
(reduce (fn [s i] (add-three (+ s i))) 0 (range 5000)) ;; expect: 12512500
