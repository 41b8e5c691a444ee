;; `play` failed: a score of -9; the description's limit is 5, in `
(data (i32.const 0) "{\"name\":\"nim\",\"names\":{\"en\":\"Nim\"},\"score_limit\":5 }              ")
(func $status (param $heap i32) (param $turn i32) (result i32)
  (select (local.get $turn) (i32.const 0xfff70002) (local.get $heap)))
(func $playout)
(func $cells)
