;; :drop-invalid false keeps states of weight zero.
(defquery q [] (observe (flip 1.0) false) 1)
(:log-weight (first (doquery :importance q [] :drop-invalid false))) ;; expect: ##-Inf
(:log-weight (first (doquery :smc q [] :drop-invalid false))) ;; expect: ##-Inf
(defquery some-die [] (let [x (sample (flip 0.5))] (observe (flip 1.0) x) x))
(defn zeros [& options] (count (filter #(= (:log-weight %) ##-Inf) (take 200 (apply doquery options)))))
(< 60 (zeros :importance some-die [] :drop-invalid false) 140) ;; expect: true
(< 60 (zeros :smc some-die [] :drop-invalid false) 140) ;; expect: true
(< 60 (zeros :smc some-die [] :number-of-particles 10 :ess-threshold 0 :drop-invalid false) 140) ;; expect: true
(zeros :smc some-die []) ;; expect: 0
(zeros :importance some-die [] :drop-invalid true) ;; expect: 0
