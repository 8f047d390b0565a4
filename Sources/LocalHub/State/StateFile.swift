import Foundation

/// The file in which a namespace outlives its process; nobody else writes it as long as this exists.
///
/// It is for its owner only (mode 0600), since it names people and holds handles and payloads.
final class StateFile: Sendable {
    /// The largest file that is read, in bytes.
    static let largest = 2_000_000_000

    /// Where it is.
    let path: String

    private let lock: StateFileLock
    private var temporary: String { path + ".tmp" }

    /// Takes the file for this hub; it need not exist.
    ///
    /// - Parameter path: where it is; its folder exists.
    /// - Throws: `LocalHubError` when another hub has it, or the lock beside it cannot be made.
    init(path: String) throws(LocalHubError) {
        let path = try Self.resolved(path)
        self.path = path
        lock = try StateFileLock(beside: path)
    }

    /// The path behind links, so that the file that is meant is replaced, and locked, and not a link to it.
    private static func resolved(_ path: String) throws(LocalHubError) -> String {
        if let real = unsafe realpath(path, nil) {
            defer { unsafe free(real) }
            return unsafe String(cString: real)
        }
        guard errno == ENOENT else { throw .stateFileDamaged(path, reason: SystemReason.last) }
        var status = stat()
        guard unsafe lstat(path, &status) != 0 else {
            throw .stateFileDamaged(path, reason: "it is a link that leads nowhere")
        }
        return path
    }

    /// Reads the file.
    ///
    /// - Returns: what it holds; nil when there is none, or it is empty, as `mktemp` leaves it.
    /// - Throws: `LocalHubError` when it cannot be read, is damaged, is something else, or is of a newer version.
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
            throw .stateFileDamaged(path, reason: "\(error.place) cannot be read")
        } catch {
            throw .stateFileDamaged(path, reason: "it cannot be read")
        }
    }

    /// Writes the file whole or not at all: under a temporary name beside its place, then renamed.
    ///
    /// - Parameter state: what it shall hold.
    /// - Throws: `LocalHubError` when the disk is full or gone; what stood there before still stands.
    func write(_ state: SavedState) throws(LocalHubError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data: Data
        do {
            data = try encoder.encode(state)
        } catch {
            throw .stateFileNotWritten(path, reason: "the state is no JSON")
        }
        // A hub that was killed leaves its temporary file; nobody else has one, since this hub has the lock.
        unsafe unlink(temporary)
        let descriptor = unsafe open(
            temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(SystemReason.last) }
        do throws(LocalHubError) {
            try write(data, to: FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
            guard unsafe rename(temporary, path) == 0 else { throw failure(SystemReason.last) }
        } catch {
            unsafe unlink(temporary)
            throw error
        }
        try syncFolder()
    }

    /// Lets the next hub have the file; this one has to be done with it.
    func release() {
        lock.release()
    }

    private func contents() throws(LocalHubError) -> Data? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .stateFileDamaged(path, reason: SystemReason.last)
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw .stateFileDamaged(path, reason: SystemReason.last)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .stateFileDamaged(path, reason: "it is a folder, device or pipe")
        }
        guard status.st_size <= Self.largest else {
            throw .stateFileDamaged(path, reason: "it is larger than \(Self.largest) bytes")
        }
        guard status.st_size > 0 else { return nil }
        do {
            return try handle.read(upToCount: Int(status.st_size)) ?? Data()
        } catch {
            throw .stateFileDamaged(path, reason: "reading it fails")
        }
    }

    private func write(_ data: Data, to handle: FileHandle) throws(LocalHubError) {
        do {
            try handle.write(contentsOf: data)
        } catch let error as CocoaError {
            let system = error.underlying as? POSIXError
            throw failure(system.map { SystemReason.text(of: $0.code.rawValue) } ?? "writing fails")
        } catch {
            throw failure("writing fails")
        }
        guard fsync(handle.fileDescriptor) == 0 else { throw failure(SystemReason.last) }
    }

    /// Makes the new name outlive a power cut.
    private func syncFolder() throws(LocalHubError) {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(SystemReason.last) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(SystemReason.last) }
    }

    private func failure(_ reason: String) -> LocalHubError {
        .stateFileNotWritten(path, reason: reason)
    }

    /// The part of a file that every version has.
    private struct Outline: Decodable {
        let head: SavedState.Head
    }
}

extension DecodingError {
    /// Where in a document the fault is, such as `hubs[0].registrations[3].tags`; it repeats no value.
    fileprivate var place: String {
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
