import Glibc

/// Opens files that somebody named or a search found; a link only where it stays in its folder.
///
/// The author of a link chooses what is read and, in messages about mistakes, shown: in a build of
/// a pull request, a stranger. Links on the way to the folder are the machine's own.
package enum NamedFile {
    package enum Fault: Error, Hashable, Sendable {
        case system(SystemFault)
        /// A link to a file elsewhere, with its real path.
        case leadsOut(target: String)
    }

    private static let mostTries = 100

    /// Opens a file for reading; the caller checks that it is a regular one.
    package static func open(
        _ path: String, within folders: [String] = []
    ) throws(Fault) -> OpenFile {
        do throws(SystemFault) {
            return try OpenFile(path, for: .reading, followingLinks: false)
        } catch {
            guard error.kind == .link else { throw .system(error) }
        }
        var leadsOut: String?
        for _ in 1..<mostTries {
            do throws(SystemFault) {
                guard try FileStatus(of: path).kind == .regular else {
                    return try OpenFile(path, for: .reading)
                }
                let target = try Path.real(path)
                guard try leads(to: target, from: path, within: folders) else {
                    leadsOut = target
                    break
                }
                // Not through the link again, which may lead elsewhere now.
                return try OpenFile(target, for: .reading, followingLinks: false)
            } catch {
                // Kubernetes removes a volume's earlier content after it changed the link.
                guard error.kind == .missing else { throw .system(error) }
            }
        }
        throw leadsOut.map(Fault.leadsOut) ?? .system(SystemFault(number: ENOENT))
    }

    private static func leads(
        to target: String, from path: String, within folders: [String]
    ) throws(SystemFault) -> Bool {
        if try inner(target, in: Path.folder(of: path)) != nil { return true }
        for folder in folders {
            guard let steps = try inner(target, in: folder) else { continue }
            if !steps.contains(where: Path.isHidden) { return true }
        }
        return false
    }

    /// The steps from a folder to a real path beneath it; nil: it is not beneath.
    private static func inner(
        _ target: String, in folder: String
    ) throws(SystemFault) -> ArraySlice<String>? {
        let (steps, outer) = (Path.steps(of: target), Path.steps(of: try Path.real(folder)))
        return steps.starts(with: outer) ? steps.dropFirst(outer.count) : nil
    }
}
