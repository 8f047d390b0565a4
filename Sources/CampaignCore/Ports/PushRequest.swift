/// The exact request of a push, as a preview shows it; the signature is never in it.
package struct PushRequest: Hashable, Sendable {
    package var method: String
    /// Absolute; `https://<hub>/…` when no hub is known.
    package var url: String
    package var headers: [PushHeader]
    package var body: [UInt8]

    package init(method: String, url: String, headers: [PushHeader], body: [UInt8]) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}
