module benchmark

go 1.19
