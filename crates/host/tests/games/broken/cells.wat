;; `cells` has 1 entries; the board has 9, in `70` after []
(data (i32.const 0) "{\"name\":\"nim\",\"names\":{\"en\":\"Nim\"},\"board\":{\"columns\":3,\"rows\":3}}")
