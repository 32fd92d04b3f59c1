;; Recursion through the name is memoised.
(defquery q [] (let [calls (atom 0) fib (mem (fn fib [n] (swap! calls inc) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))))] [(fib 30) @calls]))
(:result (first (doquery :importance q []))) ;; expect: [832040 31]
