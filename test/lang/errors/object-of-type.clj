;; Nor would toString.
(deftype Name [text] Object (toString [this] text)) ;; expect-error: F007
