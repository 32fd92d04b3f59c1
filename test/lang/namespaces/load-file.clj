;; A file without a namespace belongs to the program that loads it; paths may be worked out.
(load-file "beside/plain-file.clj")
from-plain-file ;; expect: 42
(plain 1) ;; expect: 43
(def from-plain-file 1)
(plain 1) ;; expect: 2
(load-file (str "beside/" "numbers" ".clj"))
;; expect-out: numbers are loaded
beside.numbers/three ;; expect: 3
(load "beside/plain-file")
(plain 1) ;; expect: 43
