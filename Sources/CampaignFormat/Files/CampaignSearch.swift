import Files
import Foundation

package struct CampaignSearch: Sendable {
    package struct Hit: Hashable, Sendable {
        package let path: String
        /// The folder that was searched; nil if the file itself was specified.
        package let folder: String?

        package var isNamed: Bool { folder == nil }
    }

    package let paths: [String]

    /// `-` is standard input.
    package init(_ paths: [String]) {
        self.paths = paths
    }

    package var shownPaths: String {
        paths.map { $0 == "." ? "the current folder" : $0 }.joined(separator: ", ")
    }

    package var folders: [String] { paths.filter(Self.isSearched) }

    private static func isSearched(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    /// Returns the files in order, without repeats; skips hidden files and folders, and links to
    /// folders.
    package func files() -> [Hit] {
        var hits: [Hit] = []
        // Bytes are compared because strings that differ only in their Unicode form compare equal
        // but may name different files.
        var seen: Set<[UInt8]> = []
        for path in paths {
            let found =
                Self.isSearched(path)
                ? search(path).map { Hit(path: $0, folder: path) }
                : [Hit(path: path, folder: nil)]
            hits += found.filter { seen.insert(Array(Self.canonical($0.path).utf8)).inserted }
        }
        return hits
    }

    /// Returns the same path for every spelling; a link and its target still have different paths.
    private static func canonical(_ path: String) -> String {
        guard path != "-", let name = Path.name(of: path) else { return path }
        return Path.file(name, in: Path.resolved(Path.folder(of: path)))
    }

    package static func isCandidate(_ name: String) -> Bool {
        let name = name.lowercased()
        return !Path.isHidden(name) && (name.hasSuffix(".yaml") || name.hasSuffix(".yml"))
    }

    /// An unreadable folder or a name that is not UTF-8 counts as a hit, so that reading it reports
    /// the problem.
    ///
    /// - Parameter isInVolume: whether the folder is the content of a Kubernetes volume, in which
    /// no more links are followed.
    private func search(_ folder: String, isInVolume: Bool = false) -> [String] {
        let entries: [Folder.Entry]
        do throws(SystemError) {
            entries = try Folder.entries(in: folder)
        } catch {
            return [folder]
        }
        let content = isInVolume ? nil : Self.content(ofVolume: folder, entries)
        // Links, including broken ones, count as hits, because reading them reports what is wrong.
        return entries.sorted { $0.name < $1.name }.filter { !Path.isHidden($0.name) }.flatMap {
            let path = Path.file($0.name, in: folder)
            if $0.isFolder { return search(path, isInVolume: isInVolume) }
            if let content, Self.isSearched(path), Self.leads(path, into: content) {
                return search(path, isInVolume: true)
            }
            return Self.isCandidate($0.name) ? [path] : []
        }
    }

    /// The target of a volume's `..data`; Kubernetes mounts everything else as links into this
    /// folder.
    private static func content(
        ofVolume folder: String, _ entries: [Folder.Entry]
    ) -> String? {
        guard entries.contains(where: { $0.name == "..data" }) else { return nil }
        return try? Path.real(Path.file("..data", in: folder))
    }

    private static func leads(_ path: String, into content: String) -> Bool {
        (try? Path.real(path))?.hasPrefix(content + "/") == true
    }
}
