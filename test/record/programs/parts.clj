;; SPDX-License-Identifier: Apache-2.0
;; Held draws that are points with mass or have a density, and distributions whose parameters decide whether draws are held at all.
(defdist spike [m] []
  (sample* [this] (if (sample* (flip 0.5)) m (sample* (normal 0 1))))
  (observe* [this x]
    (if (= x m) (log 0.5) (+ (log 0.5) (observe* (normal 0 1) x)))))
(defquery spiked []
  (let [m (sample (normal 0 1))
        x (sample (spike m))]
    (observe (normal x 1) -0.5)
    (predict :same (= x m))))

(defquery clipped-below []
  (let [m (sample (normal 0 1))
        g (sample (gamma (exp (- m 5)) 1))]
    (observe (flip (if (> g 1e-300) 0.9 0.1)) true)
    (predict :m m)
    (predict :g g)))

(defquery clipped-above []
  (let [a (sample (exponential 1))
        x (sample (beta a a))]
    (observe (flip x) true)
    (predict :x x)))
