import Glibc

extension [UInt8] {
    /// The index at which a sequence of at least one byte first occurs.
    package func firstOccurrence(of bytes: [UInt8], from start: Int = 0) -> Int? {
        guard let first = bytes.first else { return nil }
        return unsafe withUnsafeBytes { all -> Int? in
            guard let base = all.baseAddress else { return nil }
            var place = start
            while place + bytes.count <= count {
                guard let hit = unsafe memchr(base + place, Int32(first), count - place) else {
                    return nil
                }
                place = unsafe UnsafeRawPointer(hit) - base
                guard place + bytes.count <= count else { return nil }
                if unsafe memcmp(hit, bytes, bytes.count) == 0 { return place }
                place += 1
            }
            return nil
        }
    }
}
