import Files
import Foundation

/// Finds campaign files below folders.
package struct CampaignSearch: Sendable {
    /// A file that was named or found.
    package struct Hit: Hashable, Sendable {
        /// As it was named, or as the search came to it.
        package let path: String
        /// The folder that was searched; nil: the file was named itself.
        package let folder: String?

        /// Whether it was named itself; what a search finds may be something else than a campaign.
        package var isNamed: Bool { folder == nil }
    }

    /// As they were named.
    package let paths: [String]

    /// - Parameter paths: files and folders; `-` is standard input.
    package init(_ paths: [String]) {
        self.paths = paths
    }

    /// As a person reads them in a sentence.
    package var shownPaths: String {
        paths.map { $0 == "." ? "the current folder" : $0 }.joined(separator: ", ")
    }

    /// Those of the paths that are searched.
    package var folders: [String] { paths.filter(Self.isSearched) }

    private static func isSearched(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    /// The files in order, each once; hidden files and folders are passed over, and links to folders are not followed.
    package func files() -> [Hit] {
        var hits: [Hit] = []
        // Texts are equal whatever the Unicode form of their letters, but names of files are not.
        var seen: Set<[UInt8]> = []
        for path in paths {
            let found =
                Self.isSearched(path)
                ? search(path).map { Hit(path: $0, folder: path) }
                : [Hit(path: path, folder: nil)]
            hits += found.filter { seen.insert(Array(Self.standing($0.path).utf8)).inserted }
        }
        return hits
    }

    /// The same for each spelling of a path; a link and its file are two.
    private static func standing(_ path: String) -> String {
        guard path != "-", let name = Path.name(of: path) else { return path }
        return Path.file(name, in: Path.resolved(Path.folder(of: path)))
    }

    /// Whether a file of this name may be a campaign.
    package static func isCandidate(_ name: String) -> Bool {
        let name = name.lowercased()
        return !Path.isHidden(name) && (name.hasSuffix(".yaml") || name.hasSuffix(".yml"))
    }

    /// A folder that cannot be read is a hit itself, so that reading it says why; so is one whose name is not UTF-8.
    private func search(_ folder: String) -> [String] {
        let entries: [Folder.Entry]
        do throws(SystemFault) {
            entries = try Folder.entries(in: folder)
        } catch {
            return [folder]
        }
        // Links, also broken ones, and whatever else bears such a name, are hits: reading says what is wrong with them.
        return entries.sorted { $0.name < $1.name }.filter { !Path.isHidden($0.name) }.flatMap {
            let path = Path.file($0.name, in: folder)
            return $0.isFolder ? search(path) : Self.isCandidate($0.name) ? [path] : []
        }
    }
}
