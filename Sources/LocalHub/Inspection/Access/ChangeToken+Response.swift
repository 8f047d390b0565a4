import Hummingbird
import HummingbirdCore
import NIOCore

extension ChangeToken {
    /// The second segment of the token's path, in lower case.
    static let segment = "token"

    /// Answers a request for `/.hubsend/token`: the token and a line break.
    ///
    /// - Throws: a 405 for anything but GET.
    func response(to request: HubRequest) throws(HubFailure) -> Response {
        guard request.method == .get else { throw .methodNotAllowed("GET") }
        return Response(
            status: .ok, headers: InspectionFields.make("text/plain; charset=utf-8"),
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }
}
