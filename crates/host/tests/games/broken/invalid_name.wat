;; the description: name `Nim`: expected at most 40 lower-case letters, digits and hyphens, the first a letter
(data (i32.const 0) "{\"name\":\"Nim\",\"names\":{\"en\":\"Nim\"}}                                ")
