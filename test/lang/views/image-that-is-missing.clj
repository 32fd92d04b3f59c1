;; A picture that is not there is said in its place, and the worksheet continues.
(:missing (image-view "no-such-picture.png")) ;; expect: "image-view: cannot read no-such-picture.png: No such file or directory"
