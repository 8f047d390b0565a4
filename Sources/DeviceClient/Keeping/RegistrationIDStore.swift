/// Keeps, on the device, the registration id that the backend gave it.
public protocol RegistrationIDStore: Sendable {
    /// The id that was kept last; nil when there is none.
    ///
    /// - Returns: the id.
    /// - Throws: when the store cannot be read.
    func registrationID() async throws -> String?
    /// Keeps another id.
    ///
    /// - Parameter id: the id; nil: there is none any more.
    /// - Throws: when it cannot be kept.
    func keep(_ id: String?) async throws
}
