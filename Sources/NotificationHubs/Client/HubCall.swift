import NIOCore
import NIOHTTP1

/// One request to the hub; the client adds address, token and ids.
struct HubCall: Sendable {
    /// As error texts name it: `send`, `reading of a registration`.
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

    /// Whether repeating it is harmless, so that a lost answer is no loss.
    var isRepeatable: Bool

    /// Whether only the first answer is informative, such as whether something was deleted; a lost
    /// answer is not repeated.
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

    /// Whether a 404 can be about something within the hub.
    var namesItem: Bool { path.count > 1 && !path[1].hasPrefix("$") }
}

extension HubCall: CustomStringConvertible, CustomReflectable {
    var description: String { "HubCall(\(operation), hidden)" }
    var customMirror: Mirror { Mirror(self, children: ["operation": operation]) }
}

extension HubCall {
    /// A send of any form; `headers` are what the form adds, and without tags and handle it is to
    /// every device.
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
