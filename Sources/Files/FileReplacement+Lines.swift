import Glibc

extension FileReplacement {
    /// In bytes.
    private static let longestLine = 1 << 20
    private static let block = 256 << 10

    /// Rewrites a file of this user's, a line at a time, completely or not at all, with mode 0600;
    /// a link is not followed.
    ///
    /// - Throws: ``SystemFault``: `EPERM` for another user's file, `EFBIG` for a line of more than
    ///   a mebibyte; the old file stays.
    package static func rewrite(
        _ path: String, line change: ([UInt8]) -> [UInt8]
    ) throws(SystemFault) {
        let file = try OpenFile(path, for: .reading, followingLinks: false)
        // The new file is this user's, and nobody may lose theirs by that.
        guard try file.status().owner == geteuid() else { throw SystemFault(number: EPERM) }
        let replacement = try FileReplacement(of: path)
        var block = [UInt8](repeating: 0, count: Self.block)
        var rest: [UInt8] = []
        while true {
            let count = try file.read(into: &block, from: 0)
            guard count > 0 else { break }
            rest += block[..<count]
            var written: [UInt8] = []
            var start = 0
            while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                written += change(Array(rest[start...end]))
                start = end + 1
            }
            rest.removeFirst(start)
            guard rest.count <= Self.longestLine else { throw SystemFault(number: EFBIG) }
            try replacement.write(written)
        }
        if !rest.isEmpty { try replacement.write(change(rest)) }
        try replacement.commit()
    }
}
