;; SPDX-License-Identifier: Apache-2.0
;; A linear dynamical system with ten coordinates, all of them seen with noise.
;; draws: 30000
(def observations
  [[1.53 -1.51 -0.19 -0.17 0.01 -0.04 0.57 -0.93 0.31 1.13]
   [1.84 0.45 0.01 -0.63 -1.17 1.58 0.56 -0.46 -0.08 -0.42]
   [-0.71 -0.04 -0.23 0.44 -0.12 0.48 1.03 -0.21 -0.64 1.73]
   [0.37 0.77 0.99 0.20 0.04 0.62 0.54 -1.30 -0.29 0.50]
   [0.48 1.02 -0.02 1.72 -0.69 -0.57 0.24 -0.72 -1.14 1.72]
   [0.45 1.55 0.16 1.36 -1.23 -0.45 0.43 -2.01 0.11 2.48]
   [0.15 2.09 0.47 1.39 0.00 -0.96 -0.02 -2.83 -0.60 1.44]
   [0.95 1.59 0.33 0.62 -1.66 0.53 -0.16 -1.14 -1.08 1.14]
   [1.43 0.69 0.32 0.24 -0.15 0.94 0.00 -2.18 -0.62 1.11]
   [3.00 0.11 -0.03 2.03 -0.65 1.28 -0.65 -2.67 -0.05 0.76]
   [1.58 0.19 -0.69 1.37 -0.05 -0.48 -0.85 -0.39 0.23 1.12]
   [1.05 0.44 0.10 0.91 -0.26 0.23 -0.54 -0.89 -1.18 1.84]
   [1.48 0.42 0.02 1.96 -0.43 0.34 -0.12 -1.14 0.00 0.64]
   [1.84 0.64 2.50 0.04 -0.62 -0.82 0.72 -0.58 -1.00 1.02]
   [0.81 0.57 2.99 -0.45 -0.37 1.07 -0.51 0.26 1.02 1.00]
   [0.91 0.68 1.55 -0.06 -0.76 0.01 -1.05 -0.51 0.79 0.55]
   [0.18 0.97 1.35 -0.41 0.79 -0.31 -0.47 -0.06 1.54 0.59]
   [-0.25 1.31 0.25 -1.37 -0.52 0.07 -0.56 -0.94 0.69 -0.96]
   [0.15 0.43 -2.01 -1.20 -0.18 0.66 -0.84 -0.34 0.78 0.12]
   [-0.19 1.45 -0.73 -0.44 1.63 -0.76 -1.22 -0.62 1.83 -1.30]])

(def size 10)

(def transition
  (mapv (fn [i]
          (mapv (fn [j]
                  (cond (= i j) 0.8
                        (= j (mod (inc i) size)) 0.1
                        (= j (mod (dec i) size)) -0.1
                        :else 0.0))
                (range size)))
        (range size)))

(defn dot [a b]
  (reduce + (map * a b)))

(defn times [matrix x]
  (map (fn [row] (dot row x)) matrix))

(defquery kalman [observations]
  (loop [state (repeat size 0.0)
         observations observations]
    (if (empty? observations)
      (predict :state (vec state))
      (let [state (map (fn [mean] (sample (normal mean 0.5))) (times transition state))]
        (dorun (map (fn [x y] (observe (normal x 0.5) y)) state (first observations)))
        (recur state (rest observations))))))

(def kalman-value [observations])
