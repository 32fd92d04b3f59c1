;; SPDX-License-Identifier: Apache-2.0
;; A linear trend: summer temperatures at Kilpisjarvi over the years.
(defquery trend [x y pmualpha psalpha pmubeta psbeta]
  (let [alpha (sample (normal pmualpha psalpha))
        beta (sample (normal pmubeta psbeta))
        sigma (sample (half-flat))]
    (map (fn [year temperature] (observe (normal (+ alpha (* beta year)) sigma) temperature)) x y)
    (predict :alpha alpha)
    (predict :beta beta)
    (predict :sigma sigma)))
