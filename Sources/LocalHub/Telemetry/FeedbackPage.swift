import Hummingbird
import HummingbirdCore
import NIOCore

/// The page that stands in for the feedback container: `PnsFeedback` documents, one a line, oldest first.
///
/// It shows handles without asking for a token, so it is only for whom ``InspectionAccess`` lets in, as all below `/.hubsend`.
struct FeedbackPage {
    /// The second segment of the page's path, in lower case.
    static let segment = "feedback"

    /// The hubs.
    let namespace: HubNamespace

    /// The path of a hub's page.
    ///
    /// - Parameter hub: the hub's name.
    /// - Returns: the path.
    static func path(of hub: String) -> String {
        "/\(InspectionPath.root)/\(segment)/\(PercentEncoding.encode(hub))"
    }

    /// Answers a request for `/.hubsend/feedback/{hub}`.
    ///
    /// - Throws: a 404 for an unknown hub, a 405 for anything but GET.
    func response(to request: HubRequest) throws(HubFailure) -> Response {
        let path = request.target.segments
        guard path.count == 3, let hub = namespace.hub(named: path[2]) else {
            throw HubFailure(
                status: .notFound,
                detail: "There is no hub of that name; look at /.hubsend/feedback/HUB.")
        }
        guard request.method == .get else { throw .methodNotAllowed("GET") }
        let entries = hub.update { $0.feedback.entries }
        return Response(
            status: .ok, headers: InspectionFields.make("text/plain; charset=utf-8"),
            body: ResponseBody(
                byteBuffer: ByteBuffer(string: entries.map { $0.xml + "\n" }.joined())))
    }
}
