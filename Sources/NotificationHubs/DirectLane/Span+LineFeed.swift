#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension Span<UInt8> {
    /// Finds the end of a line.
    ///
    /// - Parameter start: where to begin, up to the count.
    /// - Returns: the place of the first line feed; the count when there is none.
    func firstLineFeed(from start: Int) -> Int {
        precondition((0...count).contains(start))
        return unsafe withUnsafeBufferPointer { bytes in
            guard let first = bytes.baseAddress,
                let found = unsafe memchr(first + start, 0x0A, bytes.count - start)
            else { return bytes.count }
            return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(first)
        }
    }
}
