;; SPDX-License-Identifier: Apache-2.0
;; How many kinds of eruptions does the geyser Old Faithful have? Each of 272 eruptions is drawn a cluster; their number is open.
;; chancel infer examples/dp-mixture.clj --data examples/data/faithful.csv
(defquery dp-mixture [eruptions]
  (loop [minutes eruptions
         restaurant (CRP 1.0)
         clusters {}
         assigned []]
    (if (empty? minutes)
      (do
        (predict :clusters (count clusters))
        (predict :first-with-second (= (nth assigned 0) (nth assigned 1)))
        (predict :first-with-third (= (nth assigned 0) (nth assigned 2))))
      (let [k (sample (produce restaurant))
            cluster (or (get clusters k) (normal (sample (normal 3.5 1)) (sample (half-normal 1))))]
        (observe cluster (first minutes))
        (recur (rest minutes)
               (absorb restaurant k)
               (assoc clusters k cluster)
               (conj assigned k))))))
