;; Destructuring in loop.
;; Same in Clojure.
(loop [[x & more] [1 2 3] sum 0] (if x (recur more (+ sum x)) sum)) ;; expect: 6
(loop [{:keys [n acc]} {:n 3 :acc 1}] (if (pos? n) (recur {:n (dec n) :acc (* acc n)}) acc)) ;; expect: 6
