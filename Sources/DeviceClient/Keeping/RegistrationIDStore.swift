public import Foundation

/// Keeps, on the device, the registration id that the backend gave it.
public protocol RegistrationIDStore: Sendable {
    /// The id that was kept last; nil when there is none.
    ///
    /// - Returns: the id.
    /// - Throws: when the store cannot be read.
    func registrationID() async throws -> String?
    /// Keeps another id.
    ///
    /// - Parameter id: the id; nil: the device is not registered now.
    /// - Throws: when it cannot be kept.
    func keep(_ id: String?) async throws
}

/// Keeps the registration id in a file of its own.
///
/// On iOS, put it into the Application Support folder.
public actor FileRegistrationIDStore: RegistrationIDStore {
    private let file: PrivateFile

    /// Makes a store.
    ///
    /// - Parameter file: its path; the folders above it are made when they are missing.
    public init(file: URL) {
        self.file = PrivateFile(url: file)
    }

    /// The id in the file.
    ///
    /// - Returns: the id; nil when there is no file, or nothing in it.
    /// - Throws: ``DeviceStoreError`` when the file cannot be read.
    public func registrationID() throws(DeviceStoreError) -> String? {
        let id = try file.text()?.trimmingCharacters(in: .whitespacesAndNewlines)
        return id?.isEmpty == false ? id : nil
    }

    /// Keeps another id in the file.
    ///
    /// - Parameter id: the id; nil empties the file.
    /// - Throws: ``DeviceStoreError`` when the file cannot be written.
    public func keep(_ id: String?) throws(DeviceStoreError) {
        try file.replace(with: id.map { $0 + "\n" } ?? "")
    }
}

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
