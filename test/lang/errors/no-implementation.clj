;; A protocol function for a type that does not implement it; a note points at the call.
(defprotocol Area (area [s])) ;; expect-error: R013
(area 5)
