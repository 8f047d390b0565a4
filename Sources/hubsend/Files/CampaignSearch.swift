import CampaignCore
import CampaignFormat
import Files
import Foundation

/// Finds campaign files below folders.
struct CampaignSearch {
    /// A file that was named or found.
    struct Hit: Hashable {
        let path: String
        /// The folder that was searched; nil: the file was named itself.
        let folder: String?

        /// Whether it was named itself; what a search finds may be something else than a campaign.
        var isNamed: Bool { folder == nil }
    }

    private let paths: [String]

    init(_ paths: [String]) {
        self.paths = paths
    }

    /// As a person reads them in a sentence.
    var shownPaths: String {
        paths.map { $0 == "." ? "the current folder" : $0 }.joined(separator: ", ")
    }

    /// The files in order, each once; hidden files and folders are passed over, and links to folders are not followed.
    func files() -> [Hit] {
        var hits: [Hit] = []
        var seen: Set<String> = []
        for path in paths {
            var isFolder: ObjCBool = false
            let isThere = unsafe FileManager.default.fileExists(
                atPath: path, isDirectory: &isFolder)
            let found =
                isThere && isFolder.boolValue
                ? search(path).map { Hit(path: $0, folder: path) }
                : [Hit(path: path, folder: nil)]
            hits += found.filter { seen.insert(Self.standing($0.path)).inserted }
        }
        return hits
    }

    /// The same for each spelling of a path; a link and its file are two.
    private static func standing(_ path: String) -> String {
        guard path != "-", let name = path.split(separator: "/").last else { return path }
        return Path.file(String(name), in: Path.resolved(Path.folder(of: path)))
    }

    /// Whether a file of this name may be a campaign.
    fileprivate static func isCandidate(_ name: String) -> Bool {
        let name = name.lowercased()
        return !name.hasPrefix(".") && (name.hasSuffix(".yaml") || name.hasSuffix(".yml"))
    }

    /// A folder that cannot be read is a hit itself, so that reading it says why.
    private func search(_ folder: String) -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            return [folder]
        }
        var files: [String] = []
        for name in names where !name.hasPrefix(".") {
            let path = Path.file(name, in: folder)
            if isFolder(path) {
                files += search(path)
            } else if Self.isCandidate(name) {
                // Links, also broken ones, and whatever else bears such a name: reading says what is wrong with it.
                files.append(path)
            }
        }
        return files
    }

    /// Whether it is a folder, and no link to one; of what cannot be looked at, reading says why.
    private func isFolder(_ path: String) -> Bool {
        do {
            return try FileStatus(of: path, followingLinks: false).kind == .folder
        } catch {
            return false
        }
    }
}

/// A folder, given where a command takes campaign files only.
enum FolderArgument {
    private static let mostShown = 5
    /// How many files of a folder are looked at.
    private static let mostRead = 100

    /// Refuses folders, and names the campaigns in the first of them.
    ///
    /// - Parameters:
    ///   - paths: what was given.
    ///   - command: the command's name.
    /// - Throws: ``CommandFailure`` with commands that can be typed instead; `InputFileError` where there are none.
    static func refuse(_ paths: [String], for command: String) throws {
        guard let folder = paths.first(where: isFolder) else { return }
        let campaigns = campaigns(in: folder)
        guard !campaigns.isEmpty else { throw InputFileError.folder(path: folder) }
        let lines = campaigns.prefix(mostShown).map { path in
            "  hubsend \(command) \(ShellWord.quoted(path))\n"
        }
        let left = campaigns.count - lines.count
        throw CommandFailure(
            .configuration,
            "\"\(folder)\" is a folder; `hubsend \(command)` takes campaign files, so name one of those in it:",
            details: lines.joined() + (left > 0 ? "  and \(left) more\n" : ""))
    }

    /// The campaigns right in a folder, by name.
    private static func campaigns(in folder: String) -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            // Why it cannot be read is not what the person has to mend.
            return []
        }
        return names.filter(CampaignSearch.isCandidate).sorted().prefix(mostRead)
            .map { Path.file($0, in: folder) }.filter(isCampaign)
    }

    private static func isCampaign(_ path: String) -> Bool {
        do {
            return try CampaignFile.kind(of: path) == .campaign
        } catch {
            return false
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        do {
            return try FileStatus(of: path).kind == .folder
        } catch {
            return false
        }
    }
}
