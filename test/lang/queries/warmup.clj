;; Steps before the first draw, in which an engine that adapts does so.
(defquery q [] (let [x (sample (normal 0 10))] (observe (normal x 0.05) -7) (predict :x x)))
(defn near [states] (every? #(< (abs (- (get (get-predicts %) :x) -7)) 0.5) states))
(near (take 20 (doquery :rmh q []))) ;; expect: true
(near (take 20 (doquery :rmh q [] :warmup 500))) ;; expect: true
(near (take 20 (doquery :rmh q [] :warmup 0))) ;; expect: false
;; An engine that has nothing to adapt leaves out this many draws.
(near (take 20 (doquery :lmh q [] :warmup 20000))) ;; expect: true
;; Anglican's switch says nothing about steps.
(near (take 20 (doquery :rmh q [] :warmup true))) ;; expect: true
