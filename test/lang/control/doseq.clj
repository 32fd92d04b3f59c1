;; doseq runs for effect.
;; Same in Clojure.
(def log (atom []))
(doseq [x [1 2] y [:a :b]] (swap! log conj [x y])) ;; expect: nil
@log ;; expect: [[1 :a] [1 :b] [2 :a] [2 :b]]
(doseq [x (range 5) :when (odd? x) :let [z (* x 10)]] (swap! log conj z)) ;; expect: nil
(peek @log) ;; expect: 30
