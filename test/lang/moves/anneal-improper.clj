;; It begins with draws from the prior.
(defquery q [] (let [x (sample (flat))] (observe (normal x 1) 3) x)) ;; expect-error: I006
(doall (take 3 (doquery :anneal q [])))
