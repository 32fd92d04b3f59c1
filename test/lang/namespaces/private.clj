;; Private names of another file.
;; expect-out: numbers are loaded
(require '[beside.shapes :as s])
(s/hidden 1) ;; expect-error: F001
