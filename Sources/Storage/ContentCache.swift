import Synchronization

/// Keeps recently fetched files, because the people in a campaign fetch the same file at about the
/// same time.
///
/// Callers check access before each fetch.
package final class ContentCache: Sendable {
    private struct State {
        var files: [String: [UInt8]] = [:]
        /// The digests of the files, oldest first.
        var order: [String] = []
        var byteCount = 0
    }

    private let capacity: Int
    /// The size of the largest file that is kept, in bytes.
    package let largest: Int
    private let state = Mutex(State())

    /// `capacity` is in bytes; a file that exceeds a quarter of it is not kept.
    package init(capacity: Int = 8 << 20) {
        self.capacity = capacity
        largest = capacity / 4
    }

    package func file(_ digest: String, read: () throws -> [UInt8]) rethrows -> [UInt8] {
        if let file = state.withLock({ $0.files[digest] }) { return file }
        let file = try read()
        guard file.count <= largest else { return file }
        state.withLock { state in
            guard state.files.updateValue(file, forKey: digest) == nil else { return }
            state.order.append(digest)
            state.byteCount += file.count
            while state.byteCount > capacity {
                let oldest = state.files.removeValue(forKey: state.order.removeFirst())
                state.byteCount -= oldest?.count ?? 0
            }
        }
        return file
    }
}
