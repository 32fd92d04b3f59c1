;; SPDX-License-Identifier: Apache-2.0
;; The Dirichlet process mixture in the form of the paper (models/dp-mixture), with the density that its clusters
;; make at three points. `ys` are standardised.
(defquery dp-mixture [ys alpha mu beta a b]
  (let [precision-prior (gamma a b)
        new-cluster (fn []
                      (let [l (sample precision-prior)
                            s (sqrt (/ (* beta l)))
                            m (sample (normal mu s))]
                        (normal m (sqrt (/ l)))))]
    (loop [observations ys
           state-proc (CRP alpha)
           obs-dists {}
           counts {}]
      (if (empty? observations)
        (let [total (+ (count ys) alpha)
              parts (cons [(new-cluster) alpha]
                          (map (fn [k] [(get obs-dists k) (get counts k)]) (keys counts)))
              density (fn [y]
                        (reduce + (map (fn [[d n]] (* (/ n total) (exp (observe* d y)))) parts)))]
          (predict :clusters (count counts))
          (predict :density-1 (density -1.0))
          (predict :density-2 (density 0.0))
          (predict :density-3 (density 1.0)))
        (let [state (sample (produce state-proc))
              obs-dist (get obs-dists state (new-cluster))]
          (observe obs-dist (first observations))
          (recur (rest observations)
                 (absorb state-proc state)
                 (assoc obs-dists state obs-dist)
                 (assoc counts state (inc (get counts state 0)))))))))
