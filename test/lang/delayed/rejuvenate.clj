;; Single-site moves need draws that have values.
(defquery q [] (let [x (sample (normal 0 1))] (observe (normal x 1) 1) x))
(first (doquery :pgibbs q [] :delayed true :rejuvenate 2)) ;; expect-error: I002
