;; Continuing is always likelier than stopping: enumeration completes the short executions all the same.
(defquery q []
  (loop [n 0]
    (if (sample (flip 0.9))
      (recur (inc n))
      n)))
(map :result (take 3 (doquery :enumerate q nil))) ;; expect: (0 1 2)
(count (doquery :enumerate q nil :mass 0.99)) ;; expect: 44
