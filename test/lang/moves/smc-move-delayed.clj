;; Draws that are put off have no values to move.
(defquery q [] (let [x (sample (normal 0 1))] (observe (normal x 1) 2) x))
(dorun (take 3 (doquery :smc q [] :move 1 :delayed true))) ;; expect-error: I002
