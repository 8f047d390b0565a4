import CampaignCore
import CampaignFormat
import Files
import Foundation

/// A path given to `run --due` in which no campaign can be found.
struct DuePathFault: Refusal, CustomStringConvertible {
    let path: String
    let description: String

    /// - Parameter isOnly: whether nothing else is searched.
    /// - Returns: nil if the path is a readable file or a folder that can be listed.
    init?(_ path: String, isOnly: Bool) {
        guard path != "-" else { return nil }
        let shown = VisibleText.path(path)
        let what = CampaignSearch.isCandidate(path) ? "file" : "folder"
        guard Path.resolved(path) != "/" else {
            self.init(
                path,
                "\(shown) is the root of the file system, which is not searched. Name the folder of the campaigns: hubsend run --due FOLDER"
            )
            return
        }
        do throws(SystemFault) {
            switch try FileStatus(of: path).kind {
            case .folder: _ = try Folder.names(in: path)
            case .regular: _ = try OpenFile(path, for: .reading)
            case .link, .special:
                self.init(
                    path, "\(shown) is neither a file nor a folder.", isOnly, until: "it is one",
                    remedy: "Correct")
                return
            }
            return nil
        } catch {
            if [.missing, .noFolder].contains(error.kind) {
                self.init(
                    path, "There is no \(what) \(shown).", isOnly, until: "this \(what) exists",
                    remedy: "Put it back (is its disk mounted?), or correct")
            } else {
                self.init(
                    path, "The \(what) \(shown) cannot be read: \(error).", isOnly,
                    until: "it can be", remedy: "Give this user the right to read it, or correct")
            }
        }
    }

    init(emptyFolder path: String, isOnly: Bool) {
        self.init(
            path, "There is no campaign in the folder \(VisibleText.path(path)).", isOnly,
            until: "there is one",
            remedy: "Put the campaigns back (is its disk mounted?), or correct")
    }

    private init(
        _ path: String, _ fact: String, _ isOnly: Bool, until change: String, remedy: String
    ) {
        let nothing = isOnly ? "Nothing will be sent" : "Nothing of it will be sent"
        self.init(
            path,
            "\(fact) \(nothing) until \(change). \(remedy) the path in the command that calls `hubsend run --due`."
        )
    }

    private init(_ path: String, _ description: String) {
        self.path = path
        self.description = description
    }
}
