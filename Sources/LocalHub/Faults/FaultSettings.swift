import HTTPServing
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// Shows and changes the fault rules of all hubs while they run: `/.hubsend/faults`.
///
/// `GET` shows `{"on":true,"faults":["status: 500, share: 5%"],"revision":3}`. `PUT` replaces the
/// rules and `POST` adds rules. `DELETE` removes all rules, or the rule whose number follows the
/// path, if `?revision=` still matches. `PUT` of `on` or `off` to `/.hubsend/faults/switch` turns
/// all rules on or off. Each change returns the same response as `GET`.
struct FaultSettings {
    /// The second segment of the path, in lower case.
    static let segment = "faults"
    private static let mostDigits = 4

    let environment: HubEnvironment

    func response(to request: HubRequest) throws(HubFailure) -> Response {
        let path = request.target.segments.dropFirst(2)
        switch (path.first?.lowercased(), path.count) {
        case (nil, _): try change(all: request)
        case ("switch", 1): try turn(request)
        case (let number?, 1): try remove(number, request)
        default: throw .noFaultSettings
        }
        let (isOn, rules, revision) = environment.faults.rules
        let text = JSONText.object([
            ("on", "\(isOn)"), ("faults", JSONText.array(rules.map(\.text))),
            ("revision", "\(revision)"),
        ])
        return Response(
            status: .ok, headers: InspectionFields.make("application/json; charset=utf-8"),
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }

    private func change(all request: HubRequest) throws(HubFailure) {
        switch request.method {
        case .get: break
        case .put: try environment.faults.replace(with: rules(request), at: environment.now())
        case .post: try environment.faults.add(rules(request), at: environment.now())
        case .delete: environment.faults.removeAll()
        default: throw .methodNotAllowed("GET, PUT, POST, DELETE")
        }
    }

    private func turn(_ request: HubRequest) throws(HubFailure) {
        guard request.method == .put else { throw .methodNotAllowed("PUT") }
        let word = try text(request).filter { !$0.isWhitespace }
        guard word == "on" || word == "off" else {
            throw .badRequest("The body must be on or off.")
        }
        environment.faults.turn(on: word == "on")
    }

    private func remove(_ number: String, _ request: HubRequest) throws(HubFailure) {
        guard number.utf8.count <= Self.mostDigits,
            number.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(number)
        else { throw .noFaultSettings }
        guard request.method == .delete else { throw .methodNotAllowed("DELETE") }
        let revision = try InspectionQuery(parameters: request.target.query).revision()
        try environment.faults.remove(number: number, revision: revision)
    }

    private func rules(_ request: HubRequest) throws(HubFailure) -> [FaultRule] {
        guard let read = environment.readFaults else { throw .faultsAreFixed }
        let text = try text(request)
        do {
            return try read(text)
        } catch {
            throw .badRequest(error.explanation)
        }
    }

    private func text(_ request: HubRequest) throws(HubFailure) -> String {
        guard let text = String(validating: request.body, as: UTF8.self) else {
            throw .badRequest("The body is not UTF-8 text.")
        }
        return text
    }
}

extension HubFailure {
    fileprivate static let noFaultSettings = HubFailure(
        status: .notFound,
        detail: "This path does not exist; use /.hubsend/faults, /.hubsend/faults/NUMBER or "
            + "/.hubsend/faults/switch.")

    fileprivate static let faultsAreFixed = HubFailure(
        status: .notImplemented,
        detail:
            "The program that started this hub does not allow changes to the faults; hubsend hub "
            + "does."
    )
}

package struct UnreadableFaults: Error, Hashable {
    package let explanation: String

    package init(explanation: String) {
        self.explanation = explanation
    }
}
