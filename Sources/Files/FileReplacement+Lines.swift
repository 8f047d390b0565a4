import Glibc

extension FileReplacement {
    /// The maximum length of a line, in bytes.
    private static let longestLine = 1 << 20
    private static let block = 256 << 10

    /// Rewrites a file of this user line by line, completely or not at all, with mode 0600; links
    /// are not followed.
    ///
    /// - Throws: ``SystemError``: `EPERM` if the file belongs to another user, `EFBIG` if a line is
    ///   longer than a mebibyte; the old file is kept.
    package static func rewrite(
        _ path: String, line change: ([UInt8]) -> [UInt8]
    ) throws(SystemError) {
        let file = try OpenFile(path, for: .reading, followingLinks: false)
        // The new file would belong to this user, so other users' files are refused.
        guard try file.status().owner == geteuid() else { throw SystemError(number: EPERM) }
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
            guard rest.count <= Self.longestLine else { throw SystemError(number: EFBIG) }
            try replacement.write(written)
        }
        if !rest.isEmpty { try replacement.write(change(rest)) }
        try replacement.commit()
    }
}
