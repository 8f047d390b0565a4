/// A request as the scripted backend got it.
struct ScriptedRequest: Sendable, Equatable {
    let method: String
    /// Path and query as they were sent.
    let target: String
    let authorization: String?
    let body: String

    /// Method and target, as tests compare them.
    var line: String { "\(method) \(target)" }
}
