;; instance? of it
(instance? Nomber 1) ;; expect-error: F001
