;; SPDX-License-Identifier: Apache-2.0
;; The same with means remembered by cluster. Which of them are drawn depends on the labels.
(defquery mixture
  (let [means (mem (fn [z] (sample (normal (if (= z 0) -2 2) 2))))
        labels (mapv (fn [y]
                       (let [z (sample (uniform-discrete 0 2))]
                         (observe (normal (means z) 1) y)
                         z))
                     [-2.3 -1.8 2.2 1.7 2.6 -2.1])]
    (predict :low (means 0))
    (predict :first (nth labels 0))))
