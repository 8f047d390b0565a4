import CampaignCore
import CampaignFormat
import Files
import Foundation

/// A path given to `run --due` in which no campaign can be found.
struct DuePathFault: Error, Hashable, Sendable, CustomStringConvertible {
    private enum Kind: Hashable {
        case missing
        /// The value is the system's reason.
        case unreadable(String)
        case special
        case empty
        case root
    }

    let path: String
    private let kind: Kind
    private let isOnly: Bool

    /// - Returns: nil if the path is a readable file or a folder that can be listed.
    init?(_ path: String, isOnly: Bool) {
        guard path != "-" else { return nil }
        guard Path.resolved(path) != "/" else {
            self.init(path, .root, isOnly)
            return
        }
        do throws(SystemFault) {
            switch try FileStatus(of: path).kind {
            case .folder: _ = try Folder.names(in: path)
            case .regular: _ = try OpenFile(path, for: .reading)
            case .link, .special:
                self.init(path, .special, isOnly)
                return
            }
            return nil
        } catch {
            let isMissing = [.missing, .noFolder].contains(error.kind)
            self.init(path, isMissing ? .missing : .unreadable("\(error)"), isOnly)
        }
    }

    init(emptyFolder path: String, isOnly: Bool) {
        self.init(path, .empty, isOnly)
    }

    private init(_ path: String, _ kind: Kind, _ isOnly: Bool) {
        self.path = path
        self.kind = kind
        self.isOnly = isOnly
    }

    var description: String {
        let shown = VisibleText.path(path)
        let what = CampaignSearch.isCandidate(path) ? "file" : "folder"
        let nothing = isOnly ? "Nothing will be sent" : "Nothing of it will be sent"
        return switch kind {
        case .missing:
            "There is no \(what) \(shown). \(nothing) until this \(what) exists. Put it back (is its disk mounted?), or correct the path in the command that calls `hubsend run --due`."
        case .unreadable(let reason):
            "The \(what) \(shown) cannot be read: \(reason). \(nothing) until it can be. Give this user the right to read it, or correct the path in the command that calls `hubsend run --due`."
        case .special:
            "\(shown) is neither a file nor a folder. \(nothing) until it is one. Correct the path in the command that calls `hubsend run --due`."
        case .root:
            "\(shown) is the root of the file system, which is not searched. Name the folder of the campaigns: hubsend run --due FOLDER"
        case .empty:
            "There is no campaign in the folder \(shown). \(nothing) until there is one. Put the campaigns back (is its disk mounted?), or correct the path in the command that calls `hubsend run --due`."
        }
    }
}
