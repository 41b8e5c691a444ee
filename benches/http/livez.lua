wrk.path = "/livez"
