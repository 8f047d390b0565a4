import Files

/// Reads what is piped in or typed; the wait for it ends when the task is cancelled.
enum StandardInput {
    /// A campaign is 16 MiB at the most; one byte more tells that it is too large.
    private static let longest = 16 << 20
    /// Bytes read at once.
    private static let block = 256 << 10
    /// The longest answer that is read, in bytes; what is longer is none.
    private static let longestLine = 1_024

    /// All of it, up to one byte over the limit.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be read, `CancellationError`.
    static func read() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= longest {
            let more = try await next(min(block, longest + 1 - bytes.count))
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }

    /// A line, without its end.
    ///
    /// - Returns: nil when there is none any more.
    /// - Throws: as ``read()``.
    static func line() async throws -> String? {
        var bytes: [UInt8] = []
        while bytes.count < longestLine, !bytes.contains(UInt8(ascii: "\n")) {
            let more = try await next(longestLine)
            if more.isEmpty {
                if bytes.isEmpty { return nil }
                break
            }
            bytes += more
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return String(text.prefix { !$0.isNewline })
    }

    private static func next(_ limit: Int) async throws -> [UInt8] {
        do {
            return try await AwaitedInput.standard.next(limit)
        } catch let fault as SystemFault {
            throw CommandFailure(.configuration, "Standard input cannot be read: \(fault).")
        }
    }
}
