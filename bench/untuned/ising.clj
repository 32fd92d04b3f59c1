;; SPDX-License-Identifier: Apache-2.0
;; An Ising model: neighbouring spins of a grid tend to agree, and each is seen with noise.
;; draws: 200000
(def picture
  [[-1.87 -1.61 -1.50 -0.98 0.07 -1.87 0.35 -0.44]
   [0.84 -1.80 1.32 1.37 1.19 0.42 0.03 -1.23]
   [-3.98 0.39 1.56 0.96 1.60 0.44 1.42 -1.82]
   [-2.54 1.26 1.12 2.75 -0.74 1.39 1.07 -1.30]
   [-0.14 1.48 0.96 0.86 1.27 3.32 0.32 -1.63]
   [0.95 1.37 0.59 1.20 0.88 0.58 1.89 -0.32]
   [-0.94 -1.08 1.65 2.04 0.21 0.84 -1.01 -0.67]
   [-0.29 -2.17 -1.35 -1.25 -2.40 -1.05 -1.43 -0.20]])

(def side 8)
(def coupling 0.4)

(defm spin []
  (if (sample (flip 0.5)) 1 -1))

(defquery ising [picture]
  (let [spins (reduce (fn [spins i]
                        (let [row (quot i side)
                              column (mod i side)
                              s (spin)]
                          (when (> row 0)
                            (factor (* coupling s (nth spins (- i side)))))
                          (when (> column 0)
                            (factor (* coupling s (nth spins (dec i)))))
                          (observe (normal s 1) (get-in picture [row column]))
                          (conj spins s)))
                      []
                      (range (* side side)))]
    (predict :magnetisation (/ (reduce + spins) (* side side 1.0)))))

(def ising-value [picture])
