;; An unknown class.
(try 1 (catch NoSuchExceptionAtAll e 2)) ;; expect-error: F001
