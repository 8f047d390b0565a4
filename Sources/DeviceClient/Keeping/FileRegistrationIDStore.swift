public import Foundation

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
    /// - Throws: when the file cannot be read.
    public func registrationID() throws -> String? {
        let id = try file.text()?.trimmingCharacters(in: .whitespacesAndNewlines)
        return id?.isEmpty == false ? id : nil
    }

    /// Keeps another id in the file.
    ///
    /// - Parameter id: the id; nil empties the file.
    /// - Throws: when the file cannot be written.
    public func keep(_ id: String?) throws {
        try file.replace(with: id.map { $0 + "\n" } ?? "")
    }
}
