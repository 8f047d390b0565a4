import CampaignCore
import CampaignFormat
import Files

/// Completes campaign files on the command line.
///
/// This runs while a person types, so it reads only a few files and ignores errors.
struct CampaignCompletions {
    /// The maximum number of files that are read to find campaigns; further YAML files are offered
    /// without being read.
    private static let mostRead = 100
    /// Files larger than this are offered without being read.
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
    /// Hidden files are offered only after the dot is typed. Names with characters that are special
    /// to a shell are omitted, because shells expand completions.
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
