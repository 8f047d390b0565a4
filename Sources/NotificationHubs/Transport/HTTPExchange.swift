import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Synchronization

/// Follows one request: whether it began, and as much of its answer as is looked at.
///
/// The HTTP client's plain `execute` does not tell whether a failed request had begun; its delegate
/// does.
final class HTTPExchange: HTTPClientResponseDelegate {
    private struct State {
        var began = false
        var head: HTTPResponseHead?
        var body: [UInt8] = []
    }

    /// Ends the reading of a body that is longer than anyone will look at.
    private struct EnoughRead: Error {}

    private let bodyLimit: Int
    private let state = Mutex(State())

    /// Begins to follow a request.
    ///
    /// - Parameter bodyLimit: the most bytes of the answer's body to keep. The connection is given
    ///   up when there are more.
    init(bodyLimit: Int) {
        self.bodyLimit = bodyLimit
    }

    /// Whether the request's head was handed to a connection.
    var requestBegan: Bool { state.withLock { $0.began } }

    /// The answer, once its head is complete; its body may be cut short.
    var answer: HubAnswer? {
        state.withLock { state in
            state.head.map {
                HubAnswer(status: Int($0.status.code), headers: $0.headers, body: state.body)
            }
        }
    }

    func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) {
        state.withLock { $0.began = true }
    }

    func didReceiveHead(
        task: HTTPClient.Task<Void>, _ head: HTTPResponseHead
    ) -> EventLoopFuture<Void> {
        state.withLock { $0.head = head }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(
        task: HTTPClient.Task<Void>, _ buffer: ByteBuffer
    ) -> EventLoopFuture<Void> {
        let isEnough = state.withLock { state in
            let room = bodyLimit - state.body.count
            state.body.append(contentsOf: buffer.readableBytesView.prefix(room))
            return buffer.readableBytes > room
        }
        return isEnough
            ? task.eventLoop.makeFailedFuture(EnoughRead())
            : task.eventLoop.makeSucceededVoidFuture()
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) {}
}
