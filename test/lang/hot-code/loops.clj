;; Loops of plain numbers that run long.
;; Same in Clojure.
(loop [i 0 s 0.0] (if (< i 20000) (recur (inc i) (+ s (* 0.5 i))) s)) ;; expect: 9.9995E7
(loop [i 0 s 0] (if (< i 20000) (recur (inc i) (+ s (rem (* i i) 7))) s)) ;; expect: 39998
(loop [i 0 s 0] (if (< i 200) (recur (inc i) (+ s (loop [j 0 t 0] (if (< j 200) (recur (inc j) (+ t (mod (- j i) 5))) t)))) s)) ;; expect: 80000
(loop [i 0 s 0] (if (< i 20000) (recur (inc i) (if (= i 15000) (+ s 0.5) (+ s 1))) s)) ;; expect: 19999.5
(loop [i 0 v []] (if (< i 20000) (recur (inc i) (if (= 0 (rem i 4000)) (conj v i) v)) v)) ;; expect: [0 4000 8000 12000 16000]
(loop [i 0 b true] (if (< i 20001) (recur (inc i) (not b)) b)) ;; expect: false
(loop [i 0 s 0] (if (< i 20000) (recur (inc i) (max s (min i 777))) s)) ;; expect: 777
(loop [i 0 x 0.3] (if (< i 20000) (recur (inc i) (* 3.7 x (- 1.0 x))) (< 0.0 x 1.0))) ;; expect: true
(count (loop [i 0 s ""] (if (< i 300) (recur (inc i) (str s i)) s))) ;; expect: 790
(let [f (fn [x] (* x x))] (loop [i 0 s 0] (if (< i 20000) (recur (inc i) (+ s (f i))) s))) ;; expect: 2666466670000
