import Foundation

/// A small file that only its owner can read, and that is replaced whole or not at all.
struct PrivateFile: Sendable {
    /// The longest file that is read, in bytes.
    private static let longest = 1 << 20

    private let url: URL

    /// Names a file.
    ///
    /// - Parameter url: where it is, or shall be.
    init(url: URL) {
        self.url = url
    }

    /// Its text; nil when it is not there.
    ///
    /// - Throws: when it cannot be read, or is not what was written there.
    func text() throws -> String? {
        let handle: FileHandle
        do {
            handle = try FileHandle(forReadingFrom: url)
        } catch let error as CocoaError
            where [.fileNoSuchFile, .fileReadNoSuchFile].contains(error.code)
        {
            return nil
        }
        defer { handle.closeFile() }
        let data = try handle.read(upToCount: Self.longest + 1) ?? Data()
        guard data.count <= Self.longest, let text = String(data: data, encoding: .utf8) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return text
    }

    /// Replaces it.
    ///
    /// - Parameter text: what it says from now on.
    /// - Throws: when it cannot be written; what stood there still stands.
    func replace(with text: String) throws {
        let files = FileManager.default
        try files.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let temporary = url.appendingPathExtension("\(UUID().uuidString).tmp")
        // Empty at first: there is nothing to read before nobody else can.
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
