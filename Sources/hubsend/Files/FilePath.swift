import Foundation

/// Paths as texts.
///
/// Foundation's own functions on them end the program for some, such as `.`.
enum FilePath {
    /// The folder that a file stands in; `.` for a bare name.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A file of a folder; of the current folder as a person writes it.
    static func file(_ name: String, in folder: String) -> String {
        folder == "." ? name : folder == "/" ? "/" + name : folder + "/" + name
    }

    /// Without `.`, empty components, and `..` where it goes back over a name.
    ///
    /// - Parameter path: absolute.
    /// - Returns: the same place, as far as there are no links.
    static func cleaned(_ path: String) -> String {
        var names: [Substring] = []
        for name in path.split(separator: "/") where name != "." {
            if name == ".." { _ = names.popLast() } else { names.append(name) }
        }
        return "/" + names.joined(separator: "/")
    }
}
