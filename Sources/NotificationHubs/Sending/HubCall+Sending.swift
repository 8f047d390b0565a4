import NIOCore
import NIOHTTP1

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
