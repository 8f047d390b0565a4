/// Limits and texts of a client.
public struct BackendClientSettings: Sendable {
    /// The most bytes of an answer; a longer one is an error.
    public var longestAnswer = 20 << 20
    /// How long a request may take with all of its answer.
    public var timeout: Duration = .seconds(30)
    /// How long the fetching for one push may take, with all of its requests and the asking for the credential.
    ///
    /// iOS gives an app up to 30 s to be done with a push in the background (Apple, "Pushing background updates to your App"),
    /// and an app that takes longer is woken less often. 20 s leave time to show something.
    public var handlingTimeout: Duration = .seconds(20)
    /// What is shown when there is something, and nobody is signed in to fetch it.
    public var genericText = "You have a new message. Open the app to read it."

    /// The usual ones.
    public init() {}
}
