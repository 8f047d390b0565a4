/// A request as the scripted backend got it.
package struct ScriptedRequest: Sendable, Equatable {
    /// Its method.
    package let method: String
    /// Path and query as they were sent.
    package let target: String
    /// The header of this name.
    package let authorization: String?
    /// The header of this name.
    package let cookie: String?
    /// The body as text.
    package let body: String

    /// Method and target, as tests compare them.
    package var line: String { "\(method) \(target)" }
}
