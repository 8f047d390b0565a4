import NIOCore
import NIOHTTP1

/// One request to the hub; the client adds address, token and ids.
struct HubCall: Sendable {
    /// The name in error texts: `send`, `reading of a registration`.
    let operation: String

    let method: HTTPMethod

    /// The segments after the hub's name, not yet encoded.
    let path: [String]

    /// The query after the version; a nil value is a bare flag.
    var query: [(name: String, value: String?)] = []

    var headers: [(name: String, value: String)] = []

    var body: ByteBuffer?

    /// The statuses that mean success.
    let accepts: ClosedRange<Int>

    /// Whether the request can be repeated without harm after a lost answer.
    var isRepeatable: Bool

    /// Whether only the first answer says what happened, as with a deletion; it is not repeated
    /// after a lost answer.
    var answersOnce = false

    /// The most bytes of the answer's body, 0 to ignore it; a longer or incomplete body is an
    /// error.
    var bodyLimit = HTTPTransport.bodyLimit

    /// Checks an id that becomes part of the path.
    func checkID(_ id: String) throws(HubError) {
        guard RegistrationRules.isID(id) else {
            throw HubError(notBegun: operation, .invalidRegistration(.invalidID))
        }
    }

    /// Whether a 404 can mean that an item in the hub is missing.
    var namesItem: Bool { path.count > 1 && !path[1].hasPrefix("$") }
}

extension HubCall: CustomStringConvertible, CustomReflectable {
    var description: String { "HubCall(\(operation), hidden)" }
    var customMirror: Mirror { Mirror(self, children: ["operation": operation]) }
}

extension HubCall {
    /// A send of any form, with the form's own headers; without tags or a handle it goes to every
    /// device.
    init(
        sending operation: String, _ notification: some HubNotification,
        path: [String] = ["messages"], flag: String? = nil,
        headers: [(name: String, value: String)], bodyLimit: Int = 0
    ) {
        self.init(
            operation: operation, method: .POST, path: path,
            query: flag.map { [(name: $0, value: nil)] } ?? [],
            headers: [
                (name: "Content-Type", value: notification.contentType),
                (name: "ServiceBusNotification-Format", value: notification.formatName),
            ] + notification.options + headers,
            body: ByteBuffer(bytes: notification.body), accepts: 200...201, isRepeatable: false,
            bodyLimit: bodyLimit)
    }
}

extension TagExpression {
    var header: (name: String, value: String) {
        (name: "ServiceBusNotification-Tags", value: description)
    }
}
