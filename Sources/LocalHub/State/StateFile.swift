import Files
import Foundation

/// The file that preserves a namespace across restarts; while this object exists, no other hub
/// writes to it.
///
/// Only its owner can read it (mode 0600), because it contains user names, handles and payloads.
final class StateFile: Sendable {
    /// The maximum size of a state file in bytes.
    static let largest = 2_000_000_000

    let path: String

    private let lock: FileLock

    /// Locks the file for this hub; the file need not exist.
    init(path: String) throws(LocalHubError) {
        let path = try Self.resolved(path)
        self.path = path
        let lock: FileLock?
        do {
            lock = try FileLock.take(
                of: OpenFile(path + ".lock", for: .locking, followingLinks: false))
        } catch {
            throw .stateFileNotWritten(path, reason: "\(error)")
        }
        guard let lock else { throw .stateFileInUse(path) }
        self.lock = lock
    }

    /// The path with symbolic links resolved, so that the file itself is locked and replaced, not
    /// the link.
    ///
    /// The kind of file is checked first, because another hub may write the file at any moment.
    private static func resolved(_ path: String) throws(LocalHubError) -> String {
        do throws(SystemError) {
            guard let status = try FileStatus.find(path, followingLinks: false) else { return path }
            do throws(SystemError) {
                return try Path.real(path)
            } catch {
                guard error.kind == .missing else { throw error }
                guard status.kind == .link else { return path }
            }
        } catch {
            throw .stateFileDamaged(path, reason: "\(error)")
        }
        throw .stateFileDamaged(path, reason: "it is a broken symbolic link")
    }

    /// Reads the file; nil if it does not exist or is empty, for example because `mktemp` has just
    /// created it.
    func read() throws(LocalHubError) -> SavedState? {
        guard let data = try contents() else { return nil }
        let decoder = JSONDecoder()
        let head: SavedState.Head
        do {
            head = try decoder.decode(Outline.self, from: data).head
        } catch {
            throw .stateFileDamaged(path, reason: "it is not the state of a local hub")
        }
        guard head.format == SavedState.format else {
            throw .stateFileDamaged(path, reason: "it is not the state of a local hub")
        }
        guard head.version <= SavedState.version else {
            throw .stateFileNewer(path, version: head.version)
        }
        do {
            return try decoder.decode(SavedState.self, from: data)
        } catch let error as DecodingError {
            throw .stateFileDamaged(path, reason: "\(error.location) cannot be read")
        } catch {
            throw .stateFileDamaged(path, reason: "it cannot be read")
        }
    }

    /// Replaces the whole file with a rename; after an error, the old file is unchanged.
    func write(_ state: SavedState) throws(LocalHubError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data: Data
        do {
            data = try encoder.encode(state)
        } catch {
            throw .stateFileNotWritten(path, reason: "the state cannot be encoded as JSON")
        }
        do {
            try FileReplacement.write(data, to: path, isOnlyWriter: true)
        } catch {
            throw .stateFileNotWritten(path, reason: "\(error)")
        }
    }

    func release() {
        lock.release()
    }

    private func contents() throws(LocalHubError) -> Data? {
        let status: FileStatus
        let bytes: [UInt8]?
        do {
            let file = try OpenFile(path, for: .reading)
            status = try file.status()
            bytes = status.kind == .regular ? try file.contents(limit: Self.largest) : []
        } catch {
            if error.kind == .missing { return nil }
            throw .stateFileDamaged(path, reason: "\(error)")
        }
        guard status.kind == .regular else {
            throw .stateFileDamaged(path, reason: "it is not a regular file")
        }
        guard let bytes else {
            throw .stateFileDamaged(path, reason: "it is larger than \(Self.largest) bytes")
        }
        return bytes.isEmpty ? nil : Data(bytes)
    }

    /// The part of a state file that is the same in every version.
    private struct Outline: Decodable {
        let head: SavedState.Head
    }
}

extension DecodingError {
    /// The location of an error, such as `hubs[0].registrations[3].tags`; it contains no value.
    fileprivate var location: String {
        let path: [any CodingKey] =
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context),
                .dataCorrupted(let context):
                context.codingPath
            case .keyNotFound(let key, let context): context.codingPath + [key]
            @unknown default: []
            }
        guard !path.isEmpty else { return "it" }
        return path.reduce("") { text, key in
            key.intValue.map { "\(text)[\($0)]" }
                ?? (text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)")
        }
    }
}
