;; SPDX-License-Identifier: Apache-2.0
;; The Dirichlet process mixture of the paper, in its new syntax, as printed. The paper prints no arguments:
;; crp-mixture-value holds the paper's data and the arguments of the authors' worksheet.
(defquery crp-mixture
  [observations alpha mu beta a b]
  (let [precision-prior (gamma a b)]
    (loop [observations observations
           state-proc (CRP alpha)
           obs-dists {}
           states []]
      (if (empty? observations)
        (do 
          (predict :states states)
          (predict :num-clusters (count obs-dists)))
        (let [state (sample (produce state-proc))
              obs-dist (get obs-dists
                            state
                            (let [l (sample precision-prior)
                                  s (sqrt (/ (* beta l)))
                                  m (sample (normal mu s))]
                              (normal m (sqrt (/ l)))))]
          (observe obs-dist (first observations))
          (recur (rest observations)
                 (absorb state-proc state)
                 (assoc obs-dists state obs-dist)
                 (conj states state)))))))

(def crp-mixture-value
  [[1.0 1.1 1.2 -10 -15 -20 0.01 0.1 0.05 0] 1.72 0 100 1 10])
