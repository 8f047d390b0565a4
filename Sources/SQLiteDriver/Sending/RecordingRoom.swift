import Files
import Storage
import Synchronization

/// Disk space for the outcomes of pushes in flight, reserved before they are sent.
///
/// The space is held by an unnamed file, so it becomes free when the process ends.
final class RecordingRoom: Sendable {
    /// This is more than the outcomes of all pushes that a process has in flight.
    private static let bytes = 4 << 20
    /// How much a file must still be able to grow if the process has a file size limit.
    private static let growth = 1 << 20

    private let path: String
    private let file = Mutex<OpenFile?>(nil)

    private var place: StoreComponent { .store(path: path) }

    init(ofStoreAt path: String) {
        self.path = path
    }

    /// Reserves the space, or throws if that is impossible; returns false if it was already
    /// reserved.
    func keep() throws(StoreError) -> Bool {
        if let limit = Self.limit(ofStoreAt: path) { throw .limit(place, limit) }
        return try place.access { () throws(SystemError) in
            try file.withLock { file throws(SystemError) in
                guard file == nil else { return false }
                file = try OpenFile(
                    namelessBeside: path, bytes: min(Self.bytes, SystemLimit.largestFile ?? .max))
                return true
            }
        }
    }

    /// Releases the space for outcomes that have to be written; returns whether any was reserved.
    func give() -> Bool {
        file.withLock { file in
            defer { file = nil }
            return file != nil
        }
    }

    /// The file size limit, if a store's file or its log is about to reach it.
    static func limit(ofStoreAt path: String) -> SystemLimit? {
        guard let most = SystemLimit.largestFile else { return nil }
        let isNear = [path, path + "-wal"].contains { path in
            do throws(SystemError) {
                return (try FileStatus.find(path)?.size ?? 0) + growth > most
            } catch {
                return false
            }
        }
        return isNear ? .fileSize(most) : nil
    }
}

extension StoreError {
    /// Whether the write may succeed once the space of ``RecordingRoom`` is released.
    var lacksRoom: Bool {
        switch self {
        case .diskFull, .limit(_, .fileSize), .limit(_, .quota): true
        default: false
        }
    }
}
