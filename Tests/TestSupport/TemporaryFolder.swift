import Foundation

/// A folder of a test's own, for nobody else to read, and gone with the test.
package final class TemporaryFolder: Sendable {
    /// What tests need there at the most, all at once and many times over; a container's is often 64 MB small.
    private static let room = 1 << 30
    /// Where a sync costs nothing; nil where the machine has no such place, or one without room or for no programs, and where
    /// somebody chose another.
    private static let memory: URL? = {
        guard ProcessInfo.processInfo.environment["TMPDIR"] == nil else { return nil }
        let place = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
        let files = FileManager.default
        do {
            let mounts = try String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)
            let mount = mounts.split(separator: "\n").last { $0.contains(" \(place.path) ") }
            let free = try files.attributesOfFileSystem(forPath: place.path)[.systemFreeSize]
            guard let mount, !mount.contains("noexec"), files.isWritableFile(atPath: place.path),
                let free = free as? NSNumber, free.intValue >= room
            else { return nil }
            return place
        } catch {
            return nil
        }
    }()

    /// Where it is, without links on the way.
    package let path: String

    /// Makes an empty one.
    ///
    /// - Parameter isInMemory: whether it is where a sync costs nothing, if the machine has such a place; false for a test in
    ///   which a program is to be met in the middle of what it writes.
    /// - Throws: when the system refuses it.
    package init(isInMemory: Bool = true) throws {
        let parent = (isInMemory ? Self.memory : nil) ?? FileManager.default.temporaryDirectory
        let url = parent.appending(path: "hubsend-test-\(UUID())")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        path = url.resolvingSymlinksInPath().path
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            print("\(path) could not be removed: \(error)")
        }
    }

    /// The path of something in it, whether it is there or not.
    package func file(_ name: String) -> String { path + "/" + name }

    /// The names in it, hidden ones too, sorted.
    ///
    /// - Throws: when it cannot be listed.
    package func contents() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// Writes a text into a file; the folders above it are made.
    ///
    /// - Parameters:
    ///   - text: the content, written as UTF-8.
    ///   - name: the file's path relative to the folder.
    ///   - mode: the file's permission bits.
    /// - Returns: the file's path.
    /// - Throws: when it cannot be written.
    @discardableResult
    package func write(_ text: String, to name: String, mode: Int = 0o644) throws -> String {
        try write(Array(text.utf8), to: name, mode: mode)
    }

    /// Writes bytes into a file; the folders above it are made.
    ///
    /// - Parameters:
    ///   - bytes: the content.
    ///   - name: the file's path relative to the folder.
    ///   - mode: the file's permission bits.
    /// - Returns: the file's path.
    /// - Throws: when it cannot be written.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: String, mode: Int = 0o644) throws -> String {
        let url = URL(filePath: file(name))
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        try setMode(mode, of: name)
        return url.path
    }

    /// Makes a link; the target is stored as it is given.
    ///
    /// - Throws: when there is something of that name already.
    package func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: file(name), withDestinationPath: target)
    }

    /// The permission bits of something in it; nil when the system does not say.
    ///
    /// - Throws: when it is not there.
    package func mode(_ name: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    /// Sets the permission bits of something in it.
    ///
    /// - Throws: when it is not there.
    package func setMode(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file(name))
    }
}
