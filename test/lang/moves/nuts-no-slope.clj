;; The square root has no slope at zero; the message names the observe that depends on it.
(defquery q []
  (let [x (sample (normal 0 1))]
    (observe (normal x 1) 1)
    (observe (normal (sqrt (* 0 x)) 1) 1) ;; expect-error: I006
    x))
(first (doquery :nuts q []))
