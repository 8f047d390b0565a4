import Glibc

/// The one path of a store, however it was named.
package enum StorePath {
    /// Resolves links, so that two names of one store have one lock.
    ///
    /// - Parameter path: the store's file; neither it nor its folders need exist.
    /// - Returns: the same file without links, as far as it exists.
    package static func resolved(_ path: String) -> String {
        if let real = unsafe realpath(path, nil) {
            defer { unsafe free(real) }
            return unsafe String(cString: real)
        }
        let folder = FilePath.folder(of: path)
        guard folder != path, let name = path.split(separator: "/").last else { return path }
        let resolved = resolved(folder)
        return resolved == "/" ? "/" + name : resolved + "/" + name
    }
}
