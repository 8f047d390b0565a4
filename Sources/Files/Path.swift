import Glibc

/// Paths as texts, read as the system does: by bytes, since a mark can join `/` or `.` in a single character of Swift.
package enum Path {
    private static let slash = UInt8(ascii: "/")

    /// The names on a path, without empty ones.
    package static func steps(of path: String) -> [String] {
        path.utf8.split(separator: slash).map { String(Substring($0)) }
    }

    /// The last name on a path; nil where it has none.
    package static func name(of path: String) -> String? {
        guard let last = path.utf8.lastIndex(where: { $0 != slash }) else { return nil }
        let whole = path.utf8[...last]
        let start = whole.lastIndex(of: slash).map(whole.index(after:)) ?? whole.startIndex
        return String(Substring(whole[start...]))
    }

    /// Whether it begins at the root.
    package static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

    /// Whether a name is of a hidden file or folder.
    package static func isHidden(_ name: String) -> Bool { name.utf8.first == UInt8(ascii: ".") }

    /// A path as one from a folder; nil where it does not lie beneath it.
    ///
    /// - Parameters:
    ///   - path: as the folder is written: both absolute and without links, or both as a person wrote them.
    ///   - folder: with or without a slash at its end.
    package static func relative(_ path: String, to folder: String) -> String? {
        let prefix = folder.utf8.last == slash ? folder : folder + "/"
        guard path.utf8.starts(with: prefix.utf8) else { return nil }
        return String(Substring(path.utf8.dropFirst(prefix.utf8.count)))
    }

    /// The folder that a file stands in; `.` for a bare name.
    ///
    /// A search upwards asks this often.
    package static func folder(of path: String) -> String {
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
        folder == "." ? name : folder + (folder.utf8.last == slash ? "" : "/") + name
    }

    /// Without `.`, empty components, and `..` where it goes back over a name.
    ///
    /// - Parameter path: absolute.
    /// - Returns: the same place, as far as there are no links.
    package static func cleaned(_ path: String) -> String {
        var kept: [String] = []
        for step in steps(of: path) where step != "." {
            if step == ".." { _ = kept.popLast() } else { kept.append(step) }
        }
        return "/" + kept.joined(separator: "/")
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
            guard folder != path, let name = name(of: path) else { return path }
            return file(name, in: resolved(folder))
        }
    }
}
