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
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - command: makes such a file; nil: none does.
    /// - Returns: the rest of the sentence, and what to do.
    func text(path: String, making command: String? = nil) -> String {
        switch self {
        case .unreadable(let reason):
            if let command, reason == SystemWords.missing {
                "cannot be read: \(reason). Make it: \(command)"
            } else {
                "cannot be read: \(reason). Check its path, and the rights to it and its folders."
            }
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
