import Files

/// A file that is written whole or not at all, and what a person reads when it cannot be.
///
/// Its mode is 0600, since reports name people.
package final class AtomicFile {
    private let path: String
    private let file: FileReplacement

    /// Begins to write.
    ///
    /// - Parameter path: where the file shall be; its folder is made when it is missing.
    /// - Throws: ``OperationFault`` when it cannot be made.
    package init(path: String) throws {
        self.path = path
        do {
            try Folder.make(Path.folder(of: path))
        } catch {
            throw Self.failure(path, "its folder cannot be made (\(error))")
        }
        do {
            file = try FileReplacement(of: path)
        } catch {
            throw Self.failure(path, "\(error)")
        }
    }

    /// Appends bytes.
    ///
    /// - Throws: ``OperationFault`` when the disk is full or gone.
    package func write(_ bytes: [UInt8]) throws {
        do {
            try file.write(bytes)
        } catch {
            throw Self.failure(path, "\(error)")
        }
    }

    /// Puts the file in its place, durably.
    ///
    /// - Throws: ``OperationFault``; what stood at the place before still stands.
    package func commit() throws {
        do {
            try file.commit()
        } catch {
            throw Self.failure(path, "\(error)")
        }
    }

    private static func failure(_ path: String, _ why: String) -> OperationFault {
        .unwritableFile(path, why: why)
    }
}
