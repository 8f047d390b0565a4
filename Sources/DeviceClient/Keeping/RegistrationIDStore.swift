public import Foundation

/// Stores the device's registration id from the backend.
public protocol RegistrationIDStore: Sendable {
    /// The stored id; nil if no id is stored.
    func registrationID() async throws -> String?
    /// Stores an id; nil means that the device is not registered.
    func keep(_ id: String?) async throws
}

/// Stores the registration id in a file; on iOS, use the Application Support folder.
public actor FileRegistrationIDStore: RegistrationIDStore {
    private let file: PrivateFile

    /// Creates a store; missing folders are created when the file is written.
    public init(file: URL) {
        self.file = PrivateFile(url: file)
    }

    /// The id in the file; nil if the file is missing or empty.
    public func registrationID() throws(DeviceStoreError) -> String? {
        let id = try file.text()?.trimmingCharacters(in: .whitespacesAndNewlines)
        return id?.isEmpty == false ? id : nil
    }

    /// Stores an id; nil empties the file.
    public func keep(_ id: String?) throws(DeviceStoreError) {
        try file.replace(with: id.map { $0 + "\n" } ?? "")
    }
}

/// Stores the registration id in memory, until the process ends.
public actor InMemoryRegistrationIDStore: RegistrationIDStore {
    private var id: String?

    /// Creates a store with an id.
    public init(_ id: String? = nil) {
        self.id = id
    }

    /// The stored id.
    public func registrationID() -> String? { id }

    /// Stores an id.
    public func keep(_ id: String?) {
        self.id = id
    }
}
