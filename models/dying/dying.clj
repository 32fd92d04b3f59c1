;; SPDX-License-Identifier: Apache-2.0
;; Two observes that most executions contradict: of five particles often none is left, and a sweep that died counts.
(defquery dying []
  (let [awake (sample (flip 0.3))]
    (observe (flip (if awake 0.9 0.0)) true)
    (let [door (sample (uniform-discrete 0 6))]
      (observe (flip (case door 1 0.9 2 0.4 0.0)) true)
      (predict :door door))))
