;; `evaluate` returns a different result in a second instance of the game
(global $calls (mut i32) (i32.const 0))
(func (export "evaluate") (param i32) (result i32)
  (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
  (i32.and (global.get $calls) (i32.const 1023)))
