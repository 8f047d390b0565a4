/// The app backend that holds what a push only names, as one of its users sees it.
package struct PayloadBackend: Sendable {
    /// What the backend gave.
    package struct Payload: Sendable {
        /// What it is, such as `text/plain`, as the backend says.
        package let mediaType: String
        /// The bytes.
        package let content: [UInt8]

        /// Takes what came.
        package init(mediaType: String, content: [UInt8]) {
            self.mediaType = mediaType
            self.content = content
        }
    }

    /// Why the backend did not give it.
    package struct Failure: Error, Hashable {
        /// Whether the backend answered that there is no such thing for the user.
        package let isGone: Bool
        /// Why, as a sentence, and what to do; nothing secret is in it.
        package let explanation: String

        /// Explains a failure.
        package init(isGone: Bool = false, explanation: String) {
            self.isGone = isGone
            self.explanation = explanation
        }
    }

    /// The backend's address, such as `https://push.example`.
    package let address: String
    /// The user.
    package let user: String
    /// Fetches what an id names, within a time and a size; it is never called unless somebody asks for it.
    package let fetch: @Sendable (_ id: String) async throws(Failure) -> Payload

    /// Names a backend.
    ///
    /// - Parameters:
    ///   - address: its address, without a user or password.
    ///   - user: whose payloads it gives.
    ///   - fetch: fetches what an id names; it bounds the time and the size, and keeps nothing.
    package init(
        address: String, user: String,
        fetch: @escaping @Sendable (_ id: String) async throws(Failure) -> Payload
    ) {
        self.address = address
        self.user = user
        self.fetch = fetch
    }
}
