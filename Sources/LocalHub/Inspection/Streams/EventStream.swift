import Hummingbird
import HummingbirdCore
import NIOCore

/// A stream of server-sent events; it ends when the client goes away, the hub shuts down, or is deleted.
protocol EventStream: Sendable {
    /// Writes events for as long as there is somebody to read them.
    ///
    /// - Parameters:
    ///   - writer: takes the events.
    ///   - request: the body of the request, which shows when the client goes away.
    /// - Throws: when the connection breaks, or an event cannot be written as JSON.
    @concurrent
    func write(to writer: inout any ResponseBodyWriter, until request: RequestBody) async throws
}

extension EventStream {
    /// The response that carries the stream.
    ///
    /// - Parameter request: the body of the request, which shows when the client goes away.
    /// - Returns: the response.
    func response(to request: RequestBody) -> Response {
        Response(
            status: .ok, headers: InspectionFields.make("text/event-stream"),
            body: ResponseBody { writer in
                do {
                    try await write(to: &writer, until: request)
                } catch let error as ChannelError where error == .ioOnClosedChannel {
                    // The client went away in the middle of a write: an ordinary end.
                }
                try await writer.finish(nil)
            })
    }
}
