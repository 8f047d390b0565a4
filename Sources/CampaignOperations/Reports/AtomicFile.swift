import CampaignCore
import Files

/// A file that is written whole or not at all, with errors that a person can read.
///
/// Its mode is 0600, since reports name people.
package final class AtomicFile {
    private let path: String
    private let file: FileReplacement

    /// Begins to write.
    ///
    /// - Parameters:
    ///   - path: where the file shall be.
    ///   - makesFolder: whether a missing folder is made; if a person has named the file, a missing folder is a slip.
    /// - Throws: ``OperationFault`` when it cannot be made.
    package init(path: String, makesFolder: Bool = false) throws {
        self.path = path
        let folder = Path.folder(of: path)
        do {
            if makesFolder { try Folder.make(folder) }
        } catch {
            throw OperationFault.unwritable(
                path, error, why: "its folder cannot be made (\(error))")
        }
        do {
            file = try FileReplacement(of: path)
        } catch  where error.kind == .missing {
            let shown = VisibleText.path(folder)
            throw OperationFault.unwritableFile(
                path, why: "there is no folder \(shown); make it, or name another")
        } catch {
            throw OperationFault.unwritable(path, error)
        }
    }

    /// Appends bytes.
    ///
    /// - Throws: ``OperationFault`` when the disk is full or gone.
    package func write(_ bytes: [UInt8]) throws {
        do {
            try file.write(bytes)
        } catch {
            throw OperationFault.unwritable(path, error)
        }
    }

    /// Puts the file in its place, durably.
    ///
    /// - Throws: ``OperationFault``; an earlier file then stays as it was.
    package func commit() throws {
        do {
            try file.commit()
        } catch {
            throw OperationFault.unwritable(path, error)
        }
    }
}
