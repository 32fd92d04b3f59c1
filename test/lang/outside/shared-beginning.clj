;; What a query draws by sample* or rand before its first sample or observe is drawn once for a run, under every engine.
(def engines [:importance :rejection :smc :pimh :pcascade :pgibbs :pgas :ipmcmc :lmh :almh :rmh :plmh :palmh])
(defquery before-sample
  (let [hidden (sample* (normal 0 1))
        other (rand)
        x (sample (flip 0.5))]
    (observe (flip (if x 0.9 0.2)) true)
    [hidden other]))
(defquery before-observe
  (let [hidden (sample* (normal 0 1))]
    (observe (flip 0.5) true)
    (sample (flip 0.5))
    hidden))
(defn different [query algorithm & options]
  (count (distinct (map :result (take 60 (apply doquery algorithm query nil options))))))
(map #(different before-sample %) engines) ;; expect: (1 1 1 1 1 1 1 1 1 1 1 1 1)
(map #(different before-observe %) engines) ;; expect: (1 1 1 1 1 1 1 1 1 1 1 1 1)
(different before-sample :pgibbs :rejuvenate 3) ;; expect: 1
(different before-sample :enumerate) ;; expect: 1
(different before-observe :enumerate) ;; expect: 1
;; Afterwards such a draw is the execution's own where engines only go forward ...
(defquery after-observe
  (observe (flip 0.5) true)
  (let [hidden (sample* (normal 0 1))]
    (sample (flip 0.5))
    hidden))
(map #(> (different after-observe %) 1) [:importance :rejection :smc :pimh :pcascade :pgibbs :ipmcmc]) ;; expect: (true true true true true true true)
