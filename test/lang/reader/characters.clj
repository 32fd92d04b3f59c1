;; Character literals.
;; Same in Clojure.
\a ;; expect: \a
\A ;; expect: \A
\newline ;; expect: \newline
\space ;; expect: \space
\tab ;; expect: \tab
\return ;; expect: \return
\u0041 ;; expect: \A
\( ;; expect: \(
\\ ;; expect: \\
(str \a \b) ;; expect: "ab"
