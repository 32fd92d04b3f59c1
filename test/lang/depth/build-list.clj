;; A list built by deep non-tail recursion.
(defn build [n] (if (zero? n) () (cons n (build (dec n)))))
(count (build 100000)) ;; expect: 100000
