import NIOCore
import NIOHTTP1

/// One request to the hub, as an operation describes it; the client adds address, token and ids.
struct HubCall: Sendable {
    /// What is done, as error texts have it: `send`, `reading of a registration`.
    let operation: String

    /// The method.
    let method: HTTPMethod

    /// The segments behind the hub's name, not yet encoded.
    let path: [String]

    /// The query behind the version; a nil value is a bare flag.
    var query: [(name: String, value: String?)] = []

    /// The headers of the operation itself.
    var headers: [(name: String, value: String)] = []

    /// The body; nil for none.
    var body: ByteBuffer?

    /// The statuses that mean success (reference: section 0).
    let accepts: ClosedRange<Int>

    /// Whether doing it twice is the same as doing it once, so that a lost answer is no loss.
    var isRepeatable: Bool

    /// Whether the first request's answer says what a second one's cannot: whether there was something to delete.
    ///
    /// Then a lost answer is left to the caller.
    var answersOnce = false

    /// The most bytes of the answer's body; 0 for one that is not looked at.
    ///
    /// A body that is longer, or cut short, is an error.
    var bodyLimit = HTTPTransport.bodyLimit

    /// Checks an id that is part of the path.
    ///
    /// - Throws: ``HubError`` when it cannot be one.
    func checkID(_ id: String) throws(HubError) {
        guard RegistrationRules.isID(id) else {
            throw HubError(notBegun: operation, .invalidRegistration(.invalidID))
        }
    }

    /// Whether something within the hub is asked for, which a 404 can then speak of.
    var namesItem: Bool { path.count > 1 && !path[1].hasPrefix("$") }
}

extension HubCall: CustomStringConvertible, CustomReflectable {
    var description: String { "HubCall(\(operation), hidden)" }
    var customMirror: Mirror { Mirror(self, children: ["operation": operation]) }
}

extension HubCall {
    /// A send in any of its forms.
    ///
    /// - Parameters:
    ///   - operation: what it is called in errors.
    ///   - notification: the message.
    ///   - path: the segments behind the hub's name.
    ///   - flag: the query's bare flag, if the form has one.
    ///   - headers: what the form adds, such as the tags; a send without tags and handle is to
    ///     every device.
    ///   - bodyLimit: the most bytes of the answer, where it has a body that is looked at.
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
    /// The header that names who a send is for.
    var header: (name: String, value: String) {
        (name: "ServiceBusNotification-Tags", value: description)
    }
}
