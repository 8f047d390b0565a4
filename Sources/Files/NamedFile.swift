import Glibc

/// Opens files that somebody named or a search found, without following links out of their folder.
///
/// The author of a link chooses which file is read and quoted in messages, and in the build of a
/// pull request, the author is a stranger. Links in the path of the folder are trusted, because
/// they belong to the machine.
package enum NamedFile {
    package enum Failure: Error, Hashable, Sendable {
        case system(SystemError)
        /// The path is a link to a file elsewhere, whose real path this is.
        case leadsOut(target: String)
    }

    private static let mostTries = 100

    /// Opens a file for reading; the caller checks that it is a regular file.
    package static func open(
        _ path: String, within folders: [String] = []
    ) throws(Failure) -> OpenFile {
        do throws(SystemError) {
            return try OpenFile(path, for: .reading, followingLinks: false)
        } catch {
            guard error.kind == .link else { throw .system(error) }
        }
        var leadsOut: String?
        for _ in 1..<mostTries {
            do throws(SystemError) {
                guard try FileStatus(of: path).kind == .regular else {
                    return try OpenFile(path, for: .reading)
                }
                let target = try Path.real(path)
                guard try leads(to: target, from: path, within: folders) else {
                    leadsOut = target
                    break
                }
                // Do not use the link again, because it may lead elsewhere now.
                return try OpenFile(target, for: .reading, followingLinks: false)
            } catch {
                // Kubernetes removes a volume's earlier content after changing the link.
                guard error.kind == .missing else { throw .system(error) }
            }
        }
        throw leadsOut.map(Failure.leadsOut) ?? .system(SystemError(number: ENOENT))
    }

    private static func leads(
        to target: String, from path: String, within folders: [String]
    ) throws(SystemError) -> Bool {
        if try inner(target, in: Path.folder(of: path)) != nil { return true }
        for folder in folders {
            guard let steps = try inner(target, in: folder) else { continue }
            if !steps.contains(where: Path.isHidden) { return true }
        }
        return false
    }

    /// The path components from a folder to a real path below it; nil if the path is not below it.
    private static func inner(
        _ target: String, in folder: String
    ) throws(SystemError) -> ArraySlice<String>? {
        let (steps, outer) = (Path.steps(of: target), Path.steps(of: try Path.real(folder)))
        return steps.starts(with: outer) ? steps.dropFirst(outer.count) : nil
    }
}
