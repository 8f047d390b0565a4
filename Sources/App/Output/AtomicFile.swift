import CampaignCore
import Files
import ProcessControl

/// A file that is written completely or not at all, with errors for people to read.
///
/// The file's mode is 0600, because reports contain the names of people.
final class AtomicFile {
    private let path: String
    private let file: FileReplacement

    /// - Parameter makesFolder: whether to create a missing folder; false for a path that a person
    ///   typed, which may have a typo.
    init(path: String, makesFolder: Bool = false) throws(Refused) {
        self.path = path
        let folder = Path.folder(of: path)
        do {
            if makesFolder { try Folder.make(folder) }
        } catch {
            throw .unwritable(path, error, why: "its folder cannot be created (\(error))")
        }
        do {
            file = try FileReplacement(of: path)
        } catch {
            guard error.kind == .missing else { throw .unwritable(path, error) }
            let shown = VisibleText.path(folder)
            throw .unwritable(
                path, why: "there is no folder \(shown); create it, or name another folder")
        }
    }

    func write(_ bytes: [UInt8]) throws(Refused) {
        do { try file.write(bytes) } catch { throw .unwritable(path, error) }
    }

    /// Puts the file in place durably; if that fails, an earlier file is left unchanged.
    func commit() throws(Refused) {
        do { try file.commit() } catch { throw .unwritable(path, error) }
    }
}

extension Refused {
    /// - Parameter why: the reason to give; nil for the system's error message.
    static func unwritable(_ path: String, _ error: SystemError, why: String? = nil) -> Refused {
        let why = why ?? error.description
        return error.kind == .diskFull
            ? .noRoom(for: "file \(path)", why: why) : .unwritable(path, why: why)
    }

    static func unwritable(_ path: String, why: String) -> Refused {
        Refused("The file \(path) cannot be written: \(why).")
    }

    static func noRoom(for what: String, why: String) -> Refused {
        Refused(
            "The \(what) cannot be written: \(why). Free some space and try again.",
            status: .tryAgain)
    }
}
