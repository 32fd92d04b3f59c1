;; SPDX-License-Identifier: Apache-2.0
;; A probabilistic context-free grammar derives a sentence of twelve words, which are observed from left to right.
;; draws: 1500000
(def sentence
  [:the :dog :near :the :old :park :saw :a :cat :with :the :telescope])

(def determiners {:the 0.6 :a 0.4})
(def nouns {:dog 0.3 :cat 0.3 :park 0.2 :telescope 0.2})
(def adjectives {:old 0.5 :big 0.5})
(def verbs {:saw 0.6 :walked 0.4})
(def prepositions {:near 0.3 :with 0.4 :in 0.3})

(declare noun-phrase verb-phrase)

;; The next word has this category; gives the words that are left.
(defm word [category words]
  (if (empty? words)
    (do (factor (log 0.0)) words)
    (do (observe (categorical category) (first words))
        (rest words))))

(defm prepositional-phrase [words]
  (noun-phrase (word prepositions words)))

(defm noun-phrase [words]
  (case (sample (categorical {:plain 0.5 :adjective 0.2 :phrase 0.3}))
    :plain (word nouns (word determiners words))
    :adjective (word nouns (word adjectives (word determiners words)))
    :phrase (prepositional-phrase (noun-phrase words))))

(defm verb-phrase [words]
  (case (sample (categorical {:verb 0.1 :object 0.6 :phrase 0.3}))
    :verb (word verbs words)
    :object (noun-phrase (word verbs words))
    :phrase (prepositional-phrase (verb-phrase words))))

(defquery pcfg [sentence]
  (let [left (verb-phrase (noun-phrase sentence))]
    (observe (flip (if (empty? left) 1.0 0.0)) true)
    (predict :parsed true)))

(def pcfg-value [sentence])
