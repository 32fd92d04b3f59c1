;; SPDX-License-Identifier: Apache-2.0
;; Forward-backward for the hidden Markov model of the paper, written in the language: the exact state probabilities of hmm.clj
;; without any inference. Its function applications are the red line of the paper's Figure 1.
(defquery forward-backward
  [observations initial transitions means]
  (let [normalised (fn [row]
                     (let [total (reduce + row)]
                       (mapv (fn [p] (/ p total)) row)))
        likelihood (fn [obs] (mapv (fn [mean] (exp (observe* (normal mean 1) obs))) means))
        forward (fn [row obs]
                  (normalised
                    (mapv (fn [state seen]
                            (* seen (reduce + (map (fn [p transition] (* p (nth transition state))) row transitions))))
                          (range (count means))
                          (likelihood obs))))
        backward (fn [row obs]
                   (let [seen (likelihood obs)]
                     (normalised
                       (mapv (fn [transition] (reduce + (map * transition seen row)))
                             transitions))))
        alphas (reduce (fn [rows obs] (conj rows (forward (peek rows) obs)))
                       [initial]
                       observations)
        betas (reduce (fn [rows obs] (cons (backward (first rows) obs) rows))
                      (list (mapv (fn [_] 1.0) means))
                      (reverse observations))]
    (predict :gamma (mapv (fn [alpha beta] (normalised (mapv * alpha beta))) alphas betas))))

(def forward-backward-value
  [[0.9 0.8 0.7 0 -0.025 5 2 0.1 0 0.13 0.45 6 0.2 0.3 -1 -1]
   [(/ 1.0 3) (/ 1.0 3) (/ 1.0 3)]
   [[0.1 0.5 0.4] [0.2 0.2 0.6] [0.15 0.15 0.7]]
   [-1 1 0]])
