import CampaignCore
import CampaignFormat
import Files

/// Completes campaign files on the command line.
///
/// A shell asks while a person types, so it reads little and ignores errors.
struct CampaignCompletions {
    /// At most this many files are read to find campaigns; more YAML files are offered unread.
    private static let mostRead = 100
    /// Larger files are offered unread.
    private static let largestRead = 1 << 20

    private let beginning: String
    /// The folder part of the word, with its slash; empty for the current folder.
    private let folder: String

    init(_ beginning: String) {
        self.beginning = beginning
        let bytes = beginning.utf8
        let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
        folder = slash.map { String(Substring(bytes[...$0])) } ?? ""
    }

    /// Returns campaign files, and folders with a slash, sorted by name.
    ///
    /// Hidden files are only offered once the dot is typed. Names with characters that are special
    /// to a shell are left out, because shells expand the words they are given.
    func words() -> [String] {
        let names: [String]
        do {
            names = try Folder.names(in: folder.isEmpty ? "." : folder).sorted()
        } catch {
            return []
        }
        var read = 0
        return names.compactMap { name in
            let path = folder + name
            guard path.utf8.starts(with: beginning.utf8), Self.isPlain(path), isShown(name) else {
                return nil
            }
            guard let status = Self.status(of: path) else { return nil }
            if status.kind == .folder { return path + "/" }
            guard CampaignSearch.isCandidate(name) else { return nil }
            guard status.kind == .regular, status.size <= Self.largestRead, read < Self.mostRead
            else { return path }
            read += 1
            return CampaignFolder.kind(of: path) == .campaign ? path : nil
        }
    }

    private func isShown(_ name: String) -> Bool {
        !Path.isHidden(name)
            || beginning.utf8.dropFirst(folder.utf8.count).first == UInt8(ascii: ".")
    }

    private static func isPlain(_ path: String) -> Bool {
        ShellWord.isPlain(path, besides: " ._-/+@,") && path.utf8.first != UInt8(ascii: "-")
    }

    private static func status(of path: String) -> FileStatus? {
        do {
            return try FileStatus.find(path)
        } catch {
            return nil
        }
    }
}
