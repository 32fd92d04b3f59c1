;; Other draws at other values: a walk would stay in the structure that it began in.
(defquery q []
  (let [x (sample (normal 0 1))]
    (if (< x 0) x (+ x (sample (normal 0 1))))))
(dorun (take 100 (doquery :block q []))) ;; expect-error: I006
