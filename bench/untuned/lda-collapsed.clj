;; SPDX-License-Identifier: Apache-2.0
;; Latent Dirichlet allocation with the distributions summed out: maps count words and topics.
;; draws: 35000
(def documents
        [[2 1 4 0 4 5 4 1 1 5 0 2]
         [5 7 7 6 6 7 3 6 5 0 4 6]
         [2 3 4 4 3 4 4 3 4 3 4 3]
         [0 1 1 3 0 2 2 7 1 0 7 4]
         [5 2 2 5 6 3 6 3 6 6 6 6]
         [4 4 3 7 3 4 3 0 3 3 4 3]])

(def topics 3)
(def vocabulary 8)
(def alpha 0.5)

(defn topic-weights [counts d]
  (map (fn [k] (+ alpha (get-in counts [:documents d k] 0))) (range topics)))

(defn word-weights [counts k]
  (map (fn [w] (+ alpha (get-in counts [:topics k w] 0))) (range vocabulary)))

(defn seen [counts d k w]
  (-> counts
      (update-in [:documents d k] (fnil inc 0))
      (update-in [:topics k w] (fnil inc 0))))

(defquery lda-collapsed [documents]
  (let [words (for [[d words] (map-indexed vector documents), w words] [d w])
        counts (reduce (fn [counts [d w]]
                         (let [k (sample (discrete (topic-weights counts d)))]
                           (observe (discrete (word-weights counts k)) w)
                           (seen counts d k w)))
                       {}
                       words)]
    (predict :first-document (topic-weights counts 0))))

(def lda-collapsed-value [documents])
