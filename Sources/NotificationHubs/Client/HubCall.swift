import NIOCore
import NIOHTTP1

/// A request to the hub; the client adds the address, token and ids.
struct HubCall: Sendable {
    /// The name in error messages: `send`, `reading of a registration`.
    let operation: String

    let method: HTTPMethod

    /// The path segments after the hub's name, before encoding.
    let path: [String]

    /// The query items in addition to the API version; an item with a nil value is a flag.
    var query: [(name: String, value: String?)] = []

    var headers: [(name: String, value: String)] = []

    var body: ByteBuffer?

    /// The statuses that mean success.
    let accepts: ClosedRange<Int>

    /// Whether the request can safely be repeated if the response is lost.
    var isRepeatable: Bool

    /// Whether only the first response shows what happened, as with a deletion; the request is then
    /// not repeated if the response is lost.
    var answersOnce = false

    /// The maximum size of the response body in bytes, or 0 to ignore the body; a longer or
    /// incomplete body is an error.
    var bodyLimit = HTTPTransport.bodyLimit

    /// Checks an id that is used as part of the path.
    func checkID(_ id: String) throws(HubError) {
        guard RegistrationRules.isID(id) else {
            throw HubError(notBegun: operation, .invalidRegistration(.invalidID))
        }
    }

    /// Whether a 404 can mean that an item is missing from the hub.
    var namesItem: Bool { path.count > 1 && !path[1].hasPrefix("$") }
}

extension HubCall: CustomStringConvertible, CustomReflectable {
    var description: String { "HubCall(\(operation), hidden)" }
    var customMirror: Mirror { Mirror(self, children: ["operation": operation]) }
}

extension HubCall {
    /// A send of any kind, with its specific headers; without tags or a handle, it reaches every
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
