public import Foundation

/// One request to the backend.
public struct DeviceRequest: Sendable {
    /// `GET`, `POST`, `PUT` or `DELETE`.
    public let method: String
    /// Where to; at the configured origin.
    public let url: URL
    /// The headers, `Authorization` among them.
    public let headers: [String: String]
    /// The body; nil: there is none.
    public let body: Data?
    /// The most bytes of the answer's body that are wanted.
    public let answerLimit: Int
    /// How long all of it may take.
    public let timeout: Duration
}

extension DeviceRequest: CustomStringConvertible, CustomReflectable {
    /// The method and the size of the body; nothing that shows who somebody is.
    public var description: String { "\(method) with \(body?.count ?? 0) bytes" }

    /// The same as the description.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
