import Crypto
import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore

/// The token that is required for changes below `/.hubsend`: 256 random bits, regenerated each time
/// the hub starts, and never logged.
///
/// The inbox page and programs read it at `/.hubsend/token`; pages of other sites cannot.
struct ChangeToken: Sendable {
    static let header = "hubsend-token"

    /// The token as 64 hexadecimal digits.
    let text: String

    init() {
        var system = SystemRandomNumberGenerator()
        text = (1...4).map { _ in Hexadecimal.text(system.next(), digits: 16) }.joined()
    }

    /// Compares tokens in constant time.
    func isProven(by candidate: String?) -> Bool {
        guard let candidate else { return false }
        return SymmetricKey(data: Data(candidate.utf8)) == SymmetricKey(data: Data(text.utf8))
    }
}

extension ChangeToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Hides the token.
    var description: String { "a token" }

    var debugDescription: String { description }

    var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension ChangeToken {
    static let segment = "token"

    func response(to request: HubRequest) throws(HubFailure) -> Response {
        guard request.method == .get else { throw .methodNotAllowed("GET") }
        return Response(
            status: .ok, headers: InspectionFields.make("text/plain; charset=utf-8"),
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }
}
