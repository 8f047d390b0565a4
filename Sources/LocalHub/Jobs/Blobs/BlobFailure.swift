/// Why a blob could not be read or written; names neither address nor signature.
enum BlobFailure: Error, Equatable {
    /// Nobody answers there.
    case notReached
    /// The answer is another than the one hoped for.
    case refused(status: Int)
    /// There is no whole answer.
    case broken
    /// The answer did not come in time.
    case late
    /// The blob has more bytes than a job takes.
    case tooLarge(limit: Int)
}

extension BlobFailure: CustomStringConvertible {
    /// What went wrong, to stand behind the name of the blob.
    var description: String {
        switch self {
        case .notReached: "cannot be connected to; start what keeps the blobs"
        case .refused(let status) where (300...399).contains(status):
            "was answered with \(status), and a local hub follows no redirect"
        case .refused(let status):
            "was answered with \(status); check its name and its signature"
        case .broken: "was not answered in whole, or not by HTTP"
        case .late: "was not answered in time"
        case .tooLarge(let limit): "has more than \(limit) bytes, which is all that a job takes"
        }
    }
}
