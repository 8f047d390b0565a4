extension [Int] {
    /// Counts the elements of a sorted array that are below a number, by binary search.
    func sortedCount(below end: Int) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < end { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
