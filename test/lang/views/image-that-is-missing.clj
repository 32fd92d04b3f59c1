;; No such file.
(image-view "no-such-picture.png") ;; expect-error: U002
