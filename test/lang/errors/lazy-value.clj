;; The value of a top-level form is realised: an error in it is the form's.
(map #(/ 1 %) [1 0 2]) ;; expect-error: R006
