;; SPDX-License-Identifier: Apache-2.0
;; Latent Dirichlet allocation: each word of a document has a topic, each topic a distribution over words.
;; draws: 250000
(def documents
        [[2 1 4 0 4 5 4 1 1 5 0 2]
         [5 7 7 6 6 7 3 6 5 0 4 6]
         [2 3 4 4 3 4 4 3 4 3 4 3]
         [0 1 1 3 0 2 2 7 1 0 7 4]
         [5 2 2 5 6 3 6 3 6 6 6 6]
         [4 4 3 7 3 4 3 0 3 3 4 3]])

(def topics 3)
(def vocabulary 8)

(defquery lda [documents]
  (let [words-of (mem (fn [topic] (sample (dirichlet (repeat vocabulary 0.5)))))
        topics-of (mem (fn [document] (sample (dirichlet (repeat topics 0.5)))))]
    (doseq [[d words] (map-indexed vector documents)
            word words]
      (let [topic (sample (discrete (topics-of d)))]
        (observe (discrete (words-of topic)) word)))
    (predict :first-document (topics-of 0))))

(def lda-value [documents])
