;; 100 000 nested calls: recursion is bounded by memory only.
(defn sum-to [n] (if (zero? n) 0 (+ n (sum-to (dec n)))))
(sum-to 100000) ;; expect: 5000050000
