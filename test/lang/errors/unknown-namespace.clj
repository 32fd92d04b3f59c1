;; An alias that was never made.
(nosuch/function 1) ;; expect-error: F001
