import Glibc
import SystemPackage

/// Paths as texts.
package enum Path {
    /// The folder that a file stands in; `.` for a bare name.
    ///
    /// A search upwards asks this often, and `FilePath` checks the whole path again at each step.
    package static func folder(of path: String) -> String {
        let slash = UInt8(ascii: "/")
        let bytes = path.utf8
        func end(before end: String.Index, where isLeftOut: (UInt8) -> Bool) -> String.Index {
            var end = end
            while end > bytes.startIndex, isLeftOut(bytes[bytes.index(before: end)]) {
                end = bytes.index(before: end)
            }
            return end
        }
        let name = end(before: bytes.endIndex) { $0 == slash }
        let above = end(before: name) { $0 != slash }
        let folder = path[..<end(before: above) { $0 == slash }]
        return folder.isEmpty ? (bytes.first == slash ? "/" : ".") : String(folder)
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
