import Glibc
import SystemPackage

/// Paths as texts.
package enum Path {
    /// The folder that a file stands in; `.` for a bare name.
    package static func folder(of path: String) -> String {
        let folder = FilePath(path).removingLastComponent()
        return folder.isEmpty ? "." : folder.string
    }

    /// A file of a folder; of the current folder as a person writes it.
    package static func file(_ name: String, in folder: String) -> String {
        folder == "." ? name : folder + (folder.hasSuffix("/") ? "" : "/") + name
    }

    /// Without `.`, empty components, and `..` where it goes back over a name.
    ///
    /// - Parameter path: absolute.
    /// - Returns: the same place, as far as there are no links.
    package static func cleaned(_ path: String) -> String {
        FilePath(path).lexicallyNormalized().string
    }

    /// The path of a file or folder with all links resolved.
    ///
    /// - Throws: ``SystemFault``, also when nothing is there.
    package static func real(_ path: String) throws(SystemFault) -> String {
        guard let real = unsafe realpath(path, nil) else { throw .last }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// A path with its links resolved, as far as it exists.
    ///
    /// - Parameter path: neither it nor its folders need exist.
    package static func resolved(_ path: String) -> String {
        do {
            return try real(path)
        } catch {
            // Of what does not exist or cannot be looked into, at least the folder is resolved.
            let folder = folder(of: path)
            guard folder != path, let name = path.split(separator: "/").last else { return path }
            return file(String(name), in: resolved(folder))
        }
    }
}
