package struct ScriptedRequest: Sendable, Equatable {
    package let method: String
    package let target: String
    package let authorization: String?
    package let cookie: String?
    package let body: String

    package var line: String { "\(method) \(target)" }
}
