import Files

/// A small file beside the store that says how far the store has come (``StoreProgress``), outside of the store and its log.
///
/// What was saved last stands in the log beside the store alone. Without that log SQLite opens the store as it was before, and
/// whoever was sent to since then would be sent to again; the mark tells. It is written behind each commit and not synced: after a
/// power cut it may be behind the store, and never before it.
struct StoreMark {
    /// What it says.
    enum Reading: Equatable {
        /// There is no mark: nothing was sent yet, or the store was copied without it.
        case missing
        /// It is empty: somebody wants to go on with the store as it is; or a power cut took its content.
        case void
        case saved(Int)
    }

    private static let beginning = "hubsend store "
    /// All marks are of one length, so that a new one covers the old one whole.
    private static let digits = 20

    let path: String

    init(besideStoreAt path: String) {
        self.path = path + ".mark"
    }

    private var place: StorePlace { .mark(path: path) }

    /// Reads it.
    ///
    /// - Throws: ``StoreError`` when the system refuses it.
    func read() throws(StoreError) -> Reading {
        let bytes = try place.access { () throws(SystemFault) -> [UInt8]? in
            do throws(SystemFault) {
                return try OpenFile(path, for: .reading, followingLinks: false).beginning(64)
            } catch {
                guard error.kind == .missing else { throw error }
                return nil
            }
        }
        guard let bytes else { return .missing }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix(Self.beginning), text.hasSuffix("\n"),
            let saved = Int(text.dropFirst(Self.beginning.count).dropLast())
        else { return .void }
        return .saved(saved)
    }

    /// Writes it.
    ///
    /// - Parameter saved: what the store has saved, durably.
    func note(_ saved: Int) {
        let number = String(saved)
        let zeros = String(repeating: "0", count: max(0, Self.digits - number.count))
        do throws(SystemFault) {
            try OpenFile(path, for: .locking, followingLinks: false)
                .write("\(Self.beginning)\(zeros)\(number)\n".utf8, at: 0)
        } catch {
            // The store has everything: a mark that stays behind only tells less, and the next commit writes it again.
            return
        }
    }
}
