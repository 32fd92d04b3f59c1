;; What a query hands out is realised inside it: predicts, their labels, and the result, whatever the engine; draws made
;; meanwhile are checkpoints like others.
(defn down [n] (lazy-seq (when (pos? n) (cons n (down (dec n))))))
(defn draws [n] (lazy-seq (when (pos? n) (cons (sample (flip 1.0)) (draws (dec n))))))
(defquery q []
  (sample (flip 0.5))
  (predict :plain (down 3))
  (predict :rest (cons 9 (rest (down 3))))
  (predict :inside [{:a (down 2)} #{(down 1)} (list (down 1))])
  (predict :drawn (draws 2))
  (predict :nothing (down 0))
  (predict (down 2) 1)
  [(down 2) :end])
(defn state [engine] (first (doquery engine q [])))
(def wanted {:plain [3 2 1] :rest [9 2 1] :inside [{:a [2 1]} #{[1]} [[1]]] :drawn [true true] :nothing [] [2 1] 1})
(map #(let [s (state %)] [(= wanted (get-predicts s)) (get-result s)]) [:importance :smc :pimh :pgibbs :pgas]) ;; expect: ([true [(2 1) :end]] [true [(2 1) :end]] [true [(2 1) :end]] [true [(2 1) :end]] [true [(2 1) :end]])
(map #(let [s (state %)] [(= wanted (get-predicts s)) (get-result s)]) [:ipmcmc :pcascade :lmh :almh :rejection :enumerate]) ;; expect: ([true [(2 1) :end]] [true [(2 1) :end]] [true [(2 1) :end]] [true [(2 1) :end]] [true [(2 1) :end]] [true [(2 1) :end]])
(get-predicts (state :smc)) ;; expect: {:plain (3 2 1), :rest (9 2 1), :inside [{:a (2 1)} #{(1)} ((1))], :drawn (true true), :nothing (), (2 1) 1}
;; Also what an inner query gives.
(defquery outer [] (sample ((conditional q))))
(get-result (first (doquery :importance outer []))) ;; expect: [(2 1) :end]
;; Many lazy parts, one inside the other, cost in proportion to their number.
(defquery many [] (mapv (fn [i] (lazy-seq (list i (lazy-seq (list (- i)))))) (range 30000)))
(= (get-result (first (doquery :importance many []))) (mapv (fn [i] [i [(- i)]]) (range 30000))) ;; expect: true
