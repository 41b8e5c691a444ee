;; the game has not ended after 
(func $play (export "play") (param i32) (param $taken i32) (result i64)
  (call $leave (i32.const 7) (i32.xor (i32.load8_u (i32.const 1025)) (i32.const 1))))
