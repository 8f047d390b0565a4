import Crypto
import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore

/// The token that a change below `/.hubsend` needs: 256 random bits, new at every start.
///
/// The page and programs read it at `/.hubsend/token`, which a page of another site cannot. It is never logged.
struct ChangeToken: Sendable {
    /// The header that carries it, in lower case.
    static let header = "hubsend-token"

    /// The token: 64 hexadecimal digits.
    let text: String

    /// Draws a token from the system's generator.
    init() {
        var system = SystemRandomNumberGenerator()
        text = (1...4).map { _ in Hexadecimal.text(system.next(), digits: 16) }.joined()
    }

    /// Whether a client has this token; the time that the comparison takes does not depend on the candidate.
    func isProven(by candidate: String?) -> Bool {
        guard let candidate else { return false }
        return SymmetricKey(data: Data(candidate.utf8)) == SymmetricKey(data: Data(text.utf8))
    }
}

extension ChangeToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Never the token.
    var description: String { "a token" }

    /// Never the token.
    var debugDescription: String { description }

    /// Never the token.
    var customMirror: Mirror { Mirror(self, children: [:]) }
}

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
