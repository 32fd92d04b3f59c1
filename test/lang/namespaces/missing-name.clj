;; A name that the file does not define.
;; expect-out: numbers are loaded
(require '[beside.numbers :as n])
(n/threee) ;; expect-error: F001
