;; A protocol function for a type that does not implement it.
(defprotocol Area (area [s]))
(area 5) ;; expect-error: R013
