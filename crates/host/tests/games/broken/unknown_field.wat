;; the description: unknown field `colour`, expected one of
(data (i32.const 0) "{\"name\":\"nim\",\"names\":{\"en\":\"Nim\"},\"colour\":1}                     ")
