public import Foundation

/// Keeps, on the device, the registration id that the backend gave it.
public protocol RegistrationIDStore: Sendable {
    /// The id that was kept last; nil when there is none.
    func registrationID() async throws -> String?
    /// Keeps another id; nil means that the device is not registered.
    func keep(_ id: String?) async throws
}

/// Keeps the registration id in a file; on iOS, use the Application Support folder.
public actor FileRegistrationIDStore: RegistrationIDStore {
    private let file: PrivateFile

    /// Makes a store; missing folders above the file are created.
    public init(file: URL) {
        self.file = PrivateFile(url: file)
    }

    /// The id in the file; nil when the file is missing or empty.
    public func registrationID() throws(DeviceStoreError) -> String? {
        let id = try file.text()?.trimmingCharacters(in: .whitespacesAndNewlines)
        return id?.isEmpty == false ? id : nil
    }

    /// Keeps another id; nil empties the file.
    public func keep(_ id: String?) throws(DeviceStoreError) {
        try file.replace(with: id.map { $0 + "\n" } ?? "")
    }
}

/// Keeps the registration id for as long as the process lives.
public actor InMemoryRegistrationIDStore: RegistrationIDStore {
    private var id: String?

    /// Makes a store that holds an id.
    public init(_ id: String? = nil) {
        self.id = id
    }

    /// The id that was kept last.
    public func registrationID() -> String? { id }

    /// Keeps another id.
    public func keep(_ id: String?) {
        self.id = id
    }
}
