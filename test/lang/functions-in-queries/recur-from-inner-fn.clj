;; recur in an inner function still goes to the surrounding loop.
(defquery q [] (loop [n 3] (if (zero? n) :end ((fn [] (recur (dec n)))))))
(:result (first (doquery :importance q []))) ;; expect: :end
