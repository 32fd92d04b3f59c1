;; What native code is not made for: large numbers, other types, names that get other values, errors.
;; Same in Clojure.
(try (loop [i 0 s 1] (if (< i 20000) (recur (inc i) (if (= i 19990) (* s 4611686018427387904 4) s)) s)) (catch ArithmeticException e :too-large)) ;; expect: :too-large
(defn total [x] (loop [i 0 s x] (if (< i 20000) (recur (inc i) (+ s 1)) s)))
(total 1) ;; expect: 20001
(total 0.5) ;; expect: 20000.5
(total 1/2) ;; expect: 40001/2
(def k 2)
(defn times-k [n] (loop [i 0 s 0] (if (< i n) (recur (inc i) (+ s k)) s)))
(times-k 20000) ;; expect: 40000
(def k 2.5)
(times-k 20000) ;; expect: 50000.0
(def k nil)
(try (times-k 20000) (catch Exception e :no-number)) ;; expect: :no-number
(defn step [x] (+ x 1))
(defn walk [n] (loop [i 0 s 0] (if (< i n) (recur (inc i) (step s)) s)))
(walk 20000) ;; expect: 20000
(defn step [x] (+ x 2))
(walk 20000) ;; expect: 40000
(try (loop [i 20000 s 0] (recur (dec i) (quot 100 i))) (catch ArithmeticException e :divided)) ;; expect: :divided
(def seen (atom 0))
(loop [i 0] (if (< i 20000) (do (if (= 0 (rem i 5000)) (swap! seen inc)) (recur (inc i))) @seen)) ;; expect: 4
(try (loop [i 0] (if (= i 15000) (throw (ex-info "far" {:i i})) (recur (inc i)))) (catch Exception e (:i (ex-data e)))) ;; expect: 15000
