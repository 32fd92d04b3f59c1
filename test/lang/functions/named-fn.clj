;; A function can call itself by its name.
;; Same in Clojure.
((fn fact [n] (if (< n 2) 1 (* n (fact (dec n))))) 10) ;; expect: 3628800
((fn count-down [n] (if (pos? n) (cons n (count-down (dec n))) ())) 3) ;; expect: (3 2 1)
(def f (fn g [n] (if (zero? n) :done (g (dec n)))))
(f 5) ;; expect: :done
