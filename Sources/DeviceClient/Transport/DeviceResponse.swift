public import Foundation

/// The backend's answer to one request.
public struct DeviceResponse: Sendable {
    /// The status of the answer, such as 200.
    public let status: Int
    /// The headers, names in lower case.
    public let headers: [String: String]
    /// The body; may be left out where the status is not one of success.
    public let body: Data

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - status: its status.
    ///   - headers: its headers, names in any case.
    ///   - body: its body.
    public init(status: Int, headers: [String: String], body: Data) {
        self.status = status
        self.headers = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first }
        )
        self.body = body
    }
}
