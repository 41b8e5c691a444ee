wrk.method = "POST"
wrk.path = "/v1/searches"
wrk.body = '{"game":"connect-four","moves":["4","4"],"engine":"mcts","budget":{"simulations":1}}'
