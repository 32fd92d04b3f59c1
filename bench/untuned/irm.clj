;; SPDX-License-Identifier: Apache-2.0
;; The infinite relational model: people belong to groups, and who likes whom depends on their groups only.
;; draws: 100000
(def likes
  [[true false false true false false true false false true false false]
   [true true false false true false false true false false true false]
   [true false true false true false false false true true false true]
   [true false false true false true true false false false false false]
   [false true false false false false true false false false true false]
   [true false true false false true false false true false false false]
   [true false false true false false true false false true true false]
   [false true false false true false false true false false false false]
   [true false true false false false false false true false false true]
   [true false false true false false false false false true false false]
   [false true false false true false false true true false false false]
   [false false true true false true true true true false false true]])

(defm groups-of [people]
  (loop [process (CRP 1.0)
         people people
         groups {}]
    (if (empty? people)
      groups
      (let [group (sample (produce process))]
        (recur (absorb process group) (rest people) (assoc groups (first people) group))))))

(defquery irm [likes]
  (let [people (range (count likes))
        groups (groups-of people)
        chance (mem (fn [a b] (sample (beta 0.5 0.5))))]
    (doseq [a people, b people :when (not= a b)]
      (observe (flip (chance (groups a) (groups b)))
               (get-in likes [a b])))
    (predict :groups (count (set (vals groups))))))

(def irm-value [likes])
