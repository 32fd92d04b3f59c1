;; Multimethods.
;; Same in Clojure.
(defmulti shape-area :kind)
(defmethod shape-area :square [s] (* (:side s) (:side s)))
(defmethod shape-area :default [_] :unknown)
(shape-area {:kind :square :side 3}) ;; expect: 9
(shape-area {:kind :blob}) ;; expect: :unknown
