;; SPDX-License-Identifier: Apache-2.0
;; The constant-rate birth-death model of phylogenetics: a reconstructed tree, with hidden lineages that died out.
;; draws: 250000
(defn leaf [] {:age 0.0})
(defn node [age left right] {:age age :left left :right right})

(def tree
  (node 10.0
        (node 6.2 (node 2.1 (leaf) (leaf)) (node 4.5 (leaf) (node 1.3 (leaf) (leaf))))
        (node 8.4 (node 3.3 (leaf) (node 0.8 (leaf) (leaf))) (node 5.0 (node 2.9 (leaf) (leaf)) (leaf)))))

;; Does a lineage that begins at this time before the present die out?
(defm dies-out? [age birth death]
  (let [waiting (sample (exponential (+ birth death)))]
    (cond (> waiting age) false
          (sample (flip (/ birth (+ birth death))))
          (and (dies-out? (- age waiting) birth death)
               (dies-out? (- age waiting) birth death))
          :else true)))

;; Hidden births on a branch: each of them must have died out.
(defm hidden [from to birth death]
  (let [age (- from (sample (exponential birth)))]
    (when (> age to)
      (factor (if (dies-out? age birth death) (log 2) (log 0.0)))
      (hidden age to birth death))))

(defm walk [from {:keys [age left right]} birth death]
  (observe (poisson (* death (- from age))) 0)
  (hidden from age birth death)
  (when left
    (observe (exponential birth) 0.0)
    (walk age left birth death)
    (walk age right birth death)))

(defquery crbd [tree]
  (let [birth (sample (gamma 2 8))
        death (* birth (sample (uniform-continuous 0 0.9)))]
    (walk (:age tree) (:left tree) birth death)
    (walk (:age tree) (:right tree) birth death)
    (predict :birth birth)
    (predict :death death)))

(def crbd-value [tree])
