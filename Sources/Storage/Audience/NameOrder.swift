import Glibc

/// The order of names: by their bytes, the shorter one first.
enum NameOrder {
    /// How one name stands to another: less than 0 when it is before it, 0 when they are the same.
    @unsafe
    static func compare(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
        guard let left = first.baseAddress, let right = second.baseAddress else {
            return first.count - second.count
        }
        let order = unsafe memcmp(left, right, min(first.count, second.count))
        return order == 0 ? first.count - second.count : Int(order)
    }
}
