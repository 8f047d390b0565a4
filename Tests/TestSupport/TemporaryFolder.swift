import Foundation

/// A test's private folder, removed with this object.
package final class TemporaryFolder: Sendable {
    /// More space than all tests need at once; a container's shared memory often has only 64 MB.
    private static let room = 1 << 30
    /// A folder in memory, where syncs cost nothing; nil if it has too little space, or if the
    /// caller chose another one.
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

    /// The path without symbolic links.
    package let path: String

    /// Creates an empty folder, in memory unless a test must see a program while it writes.
    package init(isInMemory: Bool = true) throws {
        let parent = (isInMemory ? Self.memory : nil) ?? FileManager.default.temporaryDirectory
        let url = parent.appending(path: "hubsend-test-\(UUID())")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        path = url.resolvingSymlinksInPath().path
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            print("\(path) could not be removed: \(error)")
        }
    }

    package func file(_ name: String) -> String { path + "/" + name }

    /// Sorted, including hidden files.
    package func contents() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// Writes text in UTF-8 to a file, and creates the folders above it.
    @discardableResult
    package func write(_ text: String, to name: String, mode: Int = 0o644) throws -> String {
        try write(Array(text.utf8), to: name, mode: mode)
    }

    /// Writes bytes to a file, and creates the folders above it.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: String, mode: Int = 0o644) throws -> String {
        let url = URL(filePath: file(name))
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        try setMode(mode, of: name)
        return url.path
    }

    /// The target is stored as given.
    package func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: file(name), withDestinationPath: target)
    }

    /// nil if the system does not report it.
    package func mode(_ name: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    package func setMode(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file(name))
    }
}
