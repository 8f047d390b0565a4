/// Limits and texts of a client.
public struct BackendClientSettings: Sendable {
    /// The most bytes of an answer; a longer one is an error.
    public var longestAnswer = 20 << 20
    /// How long a request may take with all of its answer.
    public var timeout: Duration = .seconds(30)
    /// What is shown when there is something, and nobody is signed in to fetch it.
    public var genericText = "You have a new message. Open the app to read it."

    /// The usual ones.
    public init() {}
}
