;; Plain and mutual recursion.
;; Same in Clojure.
(defn fact [n] (if (< n 2) 1 (* n (fact (dec n)))))
(fact 20) ;; expect: 2432902008176640000
(declare odd-number?)
(defn even-number? [n] (if (zero? n) true (odd-number? (dec n))))
(defn odd-number? [n] (if (zero? n) false (even-number? (dec n))))
(even-number? 101) ;; expect: false
(defn fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(fib 15) ;; expect: 610
