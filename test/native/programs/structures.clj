;; SPDX-License-Identifier: Apache-2.0
;; A state that is a map with literal keys, with a pair in it: taken apart and made again at each observe, given to functions
;; of the program, handed on as it is by one branch, and shown whole at the end.
(defn faster [{:keys [place speed]} by]
  {:place (+ place speed) :speed (+ speed by)})

(defn middle [[low high]]
  (* 0.5 (+ low high)))

(defquery structures [observations]
  (let [end (reduce (fn [state y]
                      (let [by (sample (normal 0 0.3))
                            [count range] (:seen state)
                            moving (if (sample (flip 0.7)) (faster (:car state) by) (:car state))
                            state {:car moving :seen [(inc count) [(min y (nth range 0)) (max y (nth range 1))]]}]
                        (observe (normal (+ (get-in state [:car :place]) (* 0.1 (middle (second (:seen state))))) 1) y)
                        state))
                    {:car {:place 0.0 :speed 1.0} :seen [0 [10 -10]]}
                    observations)]
    (predict :end end)
    (predict :place (:place (:car end)))
    (predict :same (= end {:car (:car end) :seen (:seen end)}))
    (predict :none (:wheels (:car end) 4))))

(def structures-value [[0.5 1.5 -0.25 2 1 3]])
