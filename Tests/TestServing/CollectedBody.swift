import HTTPTypes
import HummingbirdCore
import NIOCore
import Synchronization

/// Takes an answer's body as it is written.
final class CollectedBody: ResponseBodyWriter, Sendable {
    private let collected = Mutex(ByteBuffer())

    /// What came so far.
    var bytes: ByteBuffer { collected.withLock { $0 } }

    func write(_ buffer: ByteBuffer) async throws {
        collected.withLock { _ = $0.writeImmutableBuffer(buffer) }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
