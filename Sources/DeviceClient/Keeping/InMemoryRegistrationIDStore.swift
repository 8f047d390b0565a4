/// Keeps the registration id for as long as the process lives.
public actor InMemoryRegistrationIDStore: RegistrationIDStore {
    private var id: String?

    /// Makes a store.
    ///
    /// - Parameter id: the id that it has from the start.
    public init(_ id: String? = nil) {
        self.id = id
    }

    /// The id that was kept last.
    ///
    /// - Returns: the id.
    public func registrationID() -> String? { id }

    /// Keeps another id.
    ///
    /// - Parameter id: the id.
    public func keep(_ id: String?) {
        self.id = id
    }
}
