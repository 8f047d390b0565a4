import NIOCore
import NIOHTTP1

/// One encoded send, ready for the transport.
///
/// It holds secrets and is never printed as a whole.
struct SendRequest: Sendable {
    /// The request's own id, a GUID.
    let trackingID: String

    /// All headers but the length, which the transport adds.
    var headers: HTTPHeaders

    /// The message.
    let body: ByteBuffer
}

extension SendRequest: CustomStringConvertible, CustomReflectable {
    var description: String { "SendRequest(\(trackingID), hidden)" }
    var customMirror: Mirror { Mirror(self, children: ["trackingID": trackingID]) }
}
