import Foundation

/// A test's private folder, removed with this object.
package final class TemporaryFolder: Sendable {
    /// More than all tests need at once; a container's shared memory often has only 64 MB.
    private static let room = 1 << 30
    /// A place where a sync costs nothing; nil if there is none with room, or somebody chose
    /// another one.
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

    /// Without links.
    package let path: String

    /// Makes an empty one, in memory unless a test needs to see a program in the middle of writing.
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

    /// Including hidden ones, sorted.
    package func contents() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// Writes a text in UTF-8 into a file, and makes the folders above it.
    @discardableResult
    package func write(_ text: String, to name: String, mode: Int = 0o644) throws -> String {
        try write(Array(text.utf8), to: name, mode: mode)
    }

    /// Writes bytes into a file, and makes the folders above it.
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

    /// nil when the system does not say.
    package func mode(_ name: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    package func setMode(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file(name))
    }
}
