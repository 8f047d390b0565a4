public import Foundation

/// A small file that only its owner can read, and that is replaced atomically.
struct PrivateFile: Sendable {
    /// The maximum size of the file in bytes.
    private static let longest = 1 << 20

    private let url: URL

    init(url: URL) {
        self.url = url
    }

    /// The text of the file; nil if the file does not exist.
    func text() throws(DeviceStoreError) -> String? {
        do {
            return try contents()
        } catch let error as CocoaError
            where [.fileNoSuchFile, .fileReadNoSuchFile].contains(error.code)
        {
            return nil
        } catch {
            throw .unreadable(url, UnderlyingError(error))
        }
    }

    private func contents() throws -> String {
        let handle = try FileHandle(forReadingFrom: url)
        defer { handle.closeFile() }
        let data = try handle.read(upToCount: Self.longest + 1) ?? Data()
        guard data.count <= Self.longest, let text = String(data: data, encoding: .utf8) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return text
    }

    /// Replaces the content; if this throws an error, the old content is unchanged.
    func replace(with text: String) throws(DeviceStoreError) {
        do {
            try write(text)
        } catch {
            throw .unwritable(url, UnderlyingError(error))
        }
    }

    private func write(_ text: String) throws {
        let files = FileManager.default
        try files.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let temporary = url.appendingPathExtension("\(UUID().uuidString).tmp")
        // The file is created empty, so that no other user can read the content before the
        // permissions are set.
        guard
            files.createFile(
                atPath: temporary.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        do {
            let handle = try FileHandle(forWritingTo: temporary)
            try handle.write(contentsOf: Data(text.utf8))
            try handle.synchronize()
            try handle.close()
            guard unsafe rename(temporary.path, url.path) == 0 else {
                throw CocoaError(.fileWriteUnknown)
            }
        } catch {
            let failure = error
            try files.removeItem(at: temporary)
            throw failure
        }
    }
}

/// The reason why the file of a store cannot be read or changed.
public enum DeviceStoreError: Error, Hashable, Sendable {
    /// The file cannot be read, or was not written by the store.
    case unreadable(URL, UnderlyingError)
    /// The file cannot be written; the old content is unchanged.
    case unwritable(URL, UnderlyingError)

    /// The error from the system.
    public var underlyingError: any Error {
        switch self {
        case .unreadable(_, let cause), .unwritable(_, let cause): cause.error
        }
    }
}

extension DeviceStoreError: CustomStringConvertible, LocalizedError {
    /// A sentence that says what is wrong and what to do.
    public var description: String {
        switch self {
        case .unreadable(let file, _):
            "The app's file \(file.path) cannot be read; check its permissions, or delete it to start again."
        case .unwritable(let file, _):
            "The app's file \(file.path) cannot be written; check its folder's permissions and the free space."
        }
    }

    /// The same sentence as the description.
    public var errorDescription: String? { description }
}
