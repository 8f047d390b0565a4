def kill_backend(*a): return 0
def kill_hub(*a): return 0
