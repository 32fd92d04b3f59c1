;; SPDX-License-Identifier: Apache-2.0
;; Nothing is observed.
(defn waiting []
  (if (sample (flip 0.1)) 0 (+ (sample (exponential 1)) (waiting))))
(defquery prior
  (predict :time (waiting)))
