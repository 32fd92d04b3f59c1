(extend-protocol Runnable String (run [this] this)) ;; expect-error: F007
