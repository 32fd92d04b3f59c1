;; SPDX-License-Identifier: Apache-2.0
;; Exchangeable random procedures: their state is kept per execution in a cell and forks with it. A procedure can be
;; called, and observed when its second function says how.

(defn %observe-exchangeable [procedure args value]
  ((%procedure-observer procedure) args value))

(defn %process-procedure [process]
  (let [cell (%cell-new process)]
    (%procedure
      (fn []
        (let [x (sample (produce (%cell-get cell)))]
          (%cell-set cell (absorb (%cell-get cell) x))
          x))
      (fn [args x]
        (do (observe (produce (%cell-get cell)) x)
            (%cell-set cell (absorb (%cell-get cell) x))
            nil)))))

(defn crp
  "A Chinese restaurant: a procedure without arguments that gives table numbers from 0."
  [alpha]
  (%process-procedure (CRP alpha)))

(defn %heads-probability [counts]
  (/ (double (nth counts 0)) (+ (nth counts 0) (nth counts 1))))

; Observed values may be 1 and 0, or 2.0 for 2.
(defn %truth [x] (if (number? x) (== x 1) x))
(defn %whole [x] (if (and (float? x) (< -1e15 x 1e15) (== x (long x))) (long x) x))

(defn %add-flip [counts heads]
  (if heads
    [(inc (nth counts 0)) (nth counts 1)]
    [(nth counts 0) (inc (nth counts 1))]))

(defn beta-bernoulli
  "A coin of unknown bias with a beta(a, b) prior: a procedure without arguments that gives true or false. One list holds the pseudocounts of false and true, as in the paper."
  ([counts] (beta-bernoulli (nth counts 1) (nth counts 0)))
  ([a b]
   (let [cell (%cell-new [a b])]
     (%procedure
       (fn []
         (let [x (sample (flip (%heads-probability (%cell-get cell))))]
           (%cell-set cell (%add-flip (%cell-get cell) x))
           x))
       (fn [args x]
         (do (observe (flip (%heads-probability (%cell-get cell))) x)
             (%cell-set cell (%add-flip (%cell-get cell) (%truth x)))
             nil))))))

(defn %dirichlet-multinomial
  "A die of unknown bias with a Dirichlet prior: a procedure without arguments that gives integers from 0."
  [counts]
  (let [cell (%cell-new (vec counts))]
    (%procedure
      (fn []
        (let [i (sample (discrete (%cell-get cell)))]
          (%cell-set cell (update (%cell-get cell) i inc))
          i))
      (fn [args i]
        (do (observe (discrete (%cell-get cell)) i)
            (if (contains? (%cell-get cell) (%whole i))
              (%cell-set cell (update (%cell-get cell) (%whole i) inc))
              nil)
            nil)))))

(defn polya-urn-mem
  "f remembered in a Polya urn for each list of arguments: an old value in proportion to its count, a new one in proportion to alpha. mem is the case alpha = 0."
  [alpha f]
  (let [cell (%cell-new {})]
    (%procedure
      (fn [& args]
        (let [counts (get (get (%cell-get cell) args) :counts [])
              n (count counts)
              i (if (= n 0) 0 (sample (discrete (conj counts alpha))))]
          (if (< i n)
            (let [urns (%cell-get cell)
                  urn (get urns args)]
              (%cell-set cell (assoc urns args {:counts (update (:counts urn) i inc) :values (:values urn)}))
              (nth (:values urn) i))
            (let [x (apply f args)
                  urns (%cell-get cell)
                  urn (get urns args)]
              (%cell-set cell (assoc urns args {:counts (conj (get urn :counts []) 1)
                                                :values (conj (get urn :values []) x)}))
              x))))
      nil)))

(defn DPmem
  "f remembered with one Chinese restaurant: each call takes a table and gives the value of f at that table for its arguments."
  [alpha f]
  (let [tables (crp alpha)
        values (mem (fn [table args] (apply f args)))]
    (fn [& args] (values (tables) args))))

(defn XRP
  "Keeps a random process in the execution's store; gives a handle for SAMPLE and OBSERVE."
  [process]
  (let [handle (gensym "XRP")]
    (store handle process)
    handle))

(defn SAMPLE
  "A draw from a distribution, or from the process of a handle."
  [source]
  (if (symbol? source)
    (let [process (retrieve source)
          x (sample (produce process))]
      (store source (absorb process x))
      x)
    (sample source)))

(defn OBSERVE
  "Observes x from a distribution, or from the process of a handle."
  [source x]
  (if (symbol? source)
    (let [process (retrieve source)]
      (observe (produce process) x)
      (store source (absorb process x))
      nil)
    (observe source x)))

(defn SAMPLE*
  "As SAMPLE, but the draw is not a choice that inference can change."
  [source]
  (if (symbol? source)
    (let [process (retrieve source)
          x (sample* (produce process))]
      (store source (absorb process x))
      x)
    (sample* source)))
