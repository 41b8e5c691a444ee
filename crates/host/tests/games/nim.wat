;; Nim with one heap of 7: a player takes 1 to 3; who takes the last one wins. A position is two bytes: the heap, the side to move.
;; The tests replace single functions.
(module
  (memory (export "memory") 2)

  (func (export "buffer") (param i32) (result i32)
    (i32.const 1024))

  (data (i32.const 0) "{\"name\":\"nim\",\"names\":{\"en\":\"Nim\"},\"board\":{\"columns\":1,\"rows\":1}}")
  (func (export "describe") (result i32)
    (memory.copy (i32.const 1024) (i32.const 0) (i32.const 66))
    (i32.const 66))

  ;; Leaves a position in the buffer, and returns its status and length.
  (func $leave (param $heap i32) (param $turn i32) (result i64)
    (i32.store8 (i32.const 1024) (local.get $heap))
    (i32.store8 (i32.const 1025) (local.get $turn))
    (i64.or
      (i64.shl (i64.extend_i32_u (call $status (local.get $heap) (local.get $turn))) (i64.const 32))
      (i64.const 2)))

  ;; The player who took the last one is not the side to move.
  (func $status (param $heap i32) (param $turn i32) (result i32)
    (i32.or
      (local.get $turn)
      (select
        (i32.const 0)
        (i32.shl (i32.sub (i32.const 2) (local.get $turn)) (i32.const 1))
        (local.get $heap))))

  (func (export "start") (param i32) (result i64)
    (call $leave (i32.const 7) (i32.const 0)))

  (func $count (param $heap i32) (result i32)
    (select (local.get $heap) (i32.const 3) (i32.lt_u (local.get $heap) (i32.const 3))))

  (func (export "moves") (param i32) (result i32) (local $count i32)
    (local.set $count (call $count (i32.load8_u (i32.const 1024))))
    (i32.store (i32.const 1024) (i32.const 1))
    (i32.store (i32.const 1028) (i32.const 2))
    (i32.store (i32.const 1032) (i32.const 3))
    (local.get $count))

  (func $play (export "play") (param i32) (param $taken i32) (result i64)
    (call $leave
      (i32.sub (i32.load8_u (i32.const 1024)) (local.get $taken))
      (i32.xor (i32.load8_u (i32.const 1025)) (i32.const 1))))

  (func (export "move_text") (param i32) (param $taken i32) (result i32)
    (i32.store8 (i32.const 1024) (i32.add (i32.const 48) (local.get $taken)))
    (i32.const 1))

  ;; A digit for the heap, a digit for the side to move.
  (func (export "position_text") (param i32) (result i32)
    (i32.store8 (i32.const 1024) (i32.add (i32.const 48) (i32.load8_u (i32.const 1024))))
    (i32.store8 (i32.const 1025) (i32.add (i32.const 48) (i32.load8_u (i32.const 1025))))
    (i32.const 2))

  (func (export "parse_position") (param $start i32) (param $length i32) (result i64) (local $heap i32) (local $turn i32)
    (local.set $heap (i32.sub (i32.load8_u (i32.const 1026)) (i32.const 48)))
    (local.set $turn (i32.sub (i32.load8_u (i32.const 1027)) (i32.const 48)))
    (if (i32.or (i32.ne (local.get $length) (i32.const 2))
          (i32.or (i32.gt_u (local.get $heap) (i32.const 7)) (i32.gt_u (local.get $turn) (i32.const 1))))
      (then (return (i64.const 0xffffffff00000000))))
    (call $leave (local.get $heap) (local.get $turn)))

  (func (export "cells") (param i32) (result i32)
    (i32.store8 (i32.const 1026) (i32.add (i32.const 48) (i32.load8_u (i32.const 1024))))
    (i32.store16 (i32.const 1024) (i32.const 0x225b))
    (i32.store16 (i32.const 1027) (i32.const 0x5d22))
    (i32.const 5))

  ;; Random moves to the end.
  (func (export "playout") (param i32) (param $seed i64) (result i32) (local $heap i32) (local $turn i32) (local $taken i32)
    (local.set $heap (i32.load8_u (i32.const 1024)))
    (local.set $turn (i32.load8_u (i32.const 1025)))
    (loop $next
      (local.set $seed (i64.add (i64.mul (local.get $seed) (i64.const 6364136223846793005)) (i64.const 1442695040888963407)))
      (local.set $taken (i32.add (i32.const 1)
        (i32.rem_u (i32.wrap_i64 (i64.shr_u (local.get $seed) (i64.const 40))) (call $count (local.get $heap)))))
      (local.set $heap (i32.sub (local.get $heap) (local.get $taken)))
      (local.set $turn (i32.xor (local.get $turn) (i32.const 1)))
      (br_if $next (local.get $heap)))
    (call $status (local.get $heap) (local.get $turn)))
)
