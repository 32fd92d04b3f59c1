;; doc and source print what is known of a name.
(use 'clojure.repl)
(defn area "The area of a disc." [r] (* 3 r r))
(doc area)
;; expect-out: -------------------------
;; expect-out: user/area
;; expect-out: ([r])
;; expect-out: The area of a disc.
(source area)
;; expect-out: (defn area "The area of a disc." [r] (* 3 r r))
(source no-such-thing)
;; expect-out: Source not found: no-such-thing
(count (filter #{'area} (apropos "are"))) ;; expect: 1
(clojure.string/includes? (with-out-str (doc map)) "map") ;; expect: true
(clojure.string/includes? (with-out-str (doc when)) "Macro or special form") ;; expect: true
(clojure.string/includes? (with-out-str (find-doc "area of a disc")) "user/area") ;; expect: true
