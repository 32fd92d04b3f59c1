;; SPDX-License-Identifier: Apache-2.0
;; 65536 executions.
(defquery finite
  (let [votes (repeatedly 8 (fn [] (sample (categorical [[:a 0.4] [:b 0.3] [:c 0.2] [:d 0.1]]))))]
    (observe (binomial 8 (/ (inc (count (filter (fn [v] (= v :a)) votes))) 10)) 5)
    (predict :for-b (count (filter (fn [v] (= v :b)) votes)))))
