/// Why a file is not even looked into.
package enum FileFault: Hashable, Sendable {
    /// The system does not give it; its words.
    case unreadable(reason: String)
    case notRegular
    case readableByOthers
    case writableByOthers
    case tooLong(limit: Int)

    /// What is wrong and what to do, to stand behind the file's name.
    ///
    /// A command at the end has no full stop, so that it can be copied.
    func text(path: String) -> String {
        switch self {
        case .unreadable(let reason):
            "cannot be read: \(reason)."
        case .notRegular:
            "is not a regular file."
        case .readableByOthers:
            "can be read by others. Run: chmod 600 \(path)"
        case .writableByOthers:
            "can be written by others. Run: chmod go-w \(path)"
        case .tooLong(let limit):
            "has more than \(limit) bytes; it cannot be what its setting asks for."
        }
    }
}
