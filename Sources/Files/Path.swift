import Glibc

/// Functions for paths as strings, which they read byte by byte as the system does, because in
/// Swift a combining mark can form one character with `/` or `.`.
package enum Path {
    private static let slash = UInt8(ascii: "/")

    package static func steps(of path: String) -> [String] {
        path.utf8.split(separator: slash).map { String(Substring($0)) }
    }

    package static func name(of path: String) -> String? {
        guard let last = path.utf8.lastIndex(where: { $0 != slash }) else { return nil }
        let whole = path.utf8[...last]
        let start = whole.lastIndex(of: slash).map(whole.index(after:)) ?? whole.startIndex
        return String(Substring(whole[start...]))
    }

    package static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

    package static func isHidden(_ name: String) -> Bool { name.utf8.first == UInt8(ascii: ".") }

    /// A path relative to a folder above it; both must be absolute paths without links, or both as
    /// they were typed.
    package static func relative(_ path: String, to folder: String) -> String? {
        let prefix = folder.utf8.last == slash ? folder : folder + "/"
        guard path.utf8.starts(with: prefix.utf8) else { return nil }
        return String(Substring(path.utf8.dropFirst(prefix.utf8.count)))
    }

    /// The folder of a file; `.` for a bare name.
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

    /// The path of a file in a folder; it has no prefix in the current folder.
    package static func file(_ name: String, in folder: String) -> String {
        folder == "." ? name : folder + (folder.utf8.last == slash ? "" : "/") + name
    }

    /// Removes `.`, `..` and empty components from an absolute path; it leads to the same file if
    /// there are no links.
    package static func cleaned(_ path: String) -> String {
        var kept: [String] = []
        for step in steps(of: path) where step != "." {
            if step == ".." { _ = kept.popLast() } else { kept.append(step) }
        }
        return "/" + kept.joined(separator: "/")
    }

    /// The path with all links resolved; throws if nothing exists there.
    package static func real(_ path: String) throws(SystemError) -> String {
        guard let real = unsafe realpath(path, nil) else { throw .last }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// The path with links resolved in the part that exists.
    package static func resolved(_ path: String) -> String {
        do {
            return try real(path)
        } catch {
            // Resolve at least the folder if the path does not exist.
            let folder = folder(of: path)
            guard folder != path, let name = name(of: path) else { return path }
            return file(name, in: resolved(folder))
        }
    }
}
