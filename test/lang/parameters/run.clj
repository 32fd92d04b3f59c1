;; By id, by line and by place; parameters that are continuous, discrete, and after another draw.
(defquery q []
  (let [a (sample :a (normal 0 1))
        n (sample :n (poisson 3))
        x (sample (normal (+ a n) 1))]
    (observe (normal x 1) 4)
    (let [y (sample (normal x 1))]
      (observe (normal y 1) 5)
      (predict :n n)
      n)))
(defn good? [engine & options]
  (every? (fn [d] (integer? (:result d))) (take 40 (apply doquery engine q [] options))))
(good? :pgibbs :number-of-particles 4 :parameters :auto :warmup 40) ;; expect: true
(good? :pgibbs :number-of-particles 4 :parameters [:a] :warmup 40) ;; expect: true
(good? :pgibbs :number-of-particles 4 :parameters [:a] :path :held :warmup 40) ;; expect: true
(good? :pgibbs :number-of-particles 4 :parameters [4 :a] :warmup 40) ;; expect: true
(good? :pgas :number-of-particles 4 :parameters [:a :n] :warmup 40) ;; expect: true
(good? :ipmcmc :number-of-nodes 4 :number-of-particles 4 :parameters [:a :n] :warmup 40) ;; expect: true
(good? :pmmh :number-of-particles 4 :warmup 40) ;; expect: true
(good? :pmmh :number-of-particles 4 :parameters [:n] :warmup 40) ;; expect: true
(good? :pmmh :number-of-particles 4 :parameters [:n :a] :blocks 1 :warmup 40) ;; expect: true
