;; SPDX-License-Identifier: Apache-2.0
;; A mixture of two normals with unknown means: the labels can be exchanged, so the posterior has two mirror modes.
(defquery mixture [observations]
  (let [means [(sample (normal 0 3)) (sample (normal 0 3))]
        labels (mapv (fn [y]
                       (let [label (sample (bernoulli 0.5))]
                         (observe (normal (nth means label) 1) y)
                         label))
                     observations)]
    (predict :together-0-1 (= (nth labels 0) (nth labels 1)))
    (predict :together-0-2 (= (nth labels 0) (nth labels 2)))
    (predict :together-0-4 (= (nth labels 0) (nth labels 4)))
    (predict :first-mean (nth means 0))
    (predict :mean-of-first (nth means (first labels)))))

(def mixture-value [[-1.2 -0.4 1.5 2.1 0.6]])
