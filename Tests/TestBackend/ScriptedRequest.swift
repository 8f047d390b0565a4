package struct ScriptedRequest: Sendable, Equatable {
    package let method: String
    /// In the order in which they were sent.
    package let target: String
    package let authorization: String?
    package let cookie: String?
    package let body: String

    package var line: String { "\(method) \(target)" }
}
