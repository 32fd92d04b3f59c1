;; Functions see the values that draws would have: the type of a whole number, parameters of a distribution, non-numeric values.
(defquery q []
  (let [x (sample (normal 0 1))
        k (sample (uniform-discrete 2 3))
        law (normal x 1)]
    (if (= k 2)
      [(double k) (mmul [[1 k] [0 1]] [k 1]) (= x (get law :mean)) (= x (:mean law)) (let [{:keys [mean]} law] (= x mean))
       (number? (norm [x 1] k)) (count (sort [(sqrt -1) x 1]))])))
(:result (first (doquery :smc q [] :delayed true :number-of-particles 3))) ;; expect: [2.0 [4 1] true true true true 3]
(:result (first (doquery :pgas q [] :delayed true :number-of-particles 3))) ;; expect: [2.0 [4 1] true true true true 3]
;; A distribution with bad parameters is an error where it is made.
(defquery wrong [] (let [x (sample (normal 0 1))] (try (normal x -1) (catch Exception e :wrong))))
(:result (first (doquery :smc wrong [] :delayed true))) ;; expect: :wrong
(defquery no-number [] (let [x (sample (mvn [0 0] [[1 0] [0 1]]))] (try (normal x 1) (catch Exception e :wrong))))
(:result (first (doquery :pgas no-number [] :delayed true))) ;; expect: :wrong
(defquery no-count [] (let [p (sample (beta 1 1))] (try (binomial -2 p) (catch Exception e :wrong))))
(:result (first (doquery :smc no-count [] :delayed true))) ;; expect: :wrong
;; A value that one of several distributions cannot score is an error of that distribution only.
(defquery rows []
  (let [k (sample (discrete [0 1]))]
    (observe (get [(mvn [0 0] [[1 0] [0 1]]) (normal 0 1)] k) 1.5)
    k))
(:result (first (doquery :smc rows [] :delayed true))) ;; expect: 1
