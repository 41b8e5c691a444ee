;; the description: name `Nim`: expected a letter, then letters, digits and hyphens, all lower case
(data (i32.const 0) "{\"name\":\"Nim\",\"names\":{\"en\":\"Nim\"}}                                ")
