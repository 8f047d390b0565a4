import CampaignCore
import CampaignFormat
import Files

/// A path given to `run --due` in which no campaign can be found.
struct DuePathError: Refusal, CustomStringConvertible {
    private static let command = "the path in the command that calls `hubsend run --due`."

    let path: String
    let description: String

    /// Returns nil if the path is a readable file or a folder that can be listed.
    init?(_ path: String, isOnly: Bool) {
        guard path != "-", let problem = Self.problem(with: path, Self.nothing(isOnly)) else {
            return nil
        }
        self.path = path
        description = problem
    }

    init(emptyFolder path: String, isOnly: Bool) {
        self.path = path
        description =
            "There is no campaign in the folder \(VisibleText.path(path)). \(Self.nothing(isOnly)) until there is one. Put the campaigns back (is the disk mounted?), or correct \(Self.command)"
    }

    private static func nothing(_ isOnly: Bool) -> String {
        isOnly ? "Nothing will be sent" : "Nothing from it will be sent"
    }

    private static func problem(with path: String, _ nothing: String) -> String? {
        let shown = VisibleText.path(path)
        guard Path.resolved(path) != "/" else {
            return
                "\(shown) is the root of the file system, which hubsend does not search. Name the folder of the campaigns: hubsend run --due FOLDER"
        }
        do {
            switch try FileStatus(of: path).kind {
            case .folder: _ = try Folder.names(in: path)
            case .regular: _ = try OpenFile(path, for: .reading)
            case .link, .special:
                return
                    "\(shown) is neither a file nor a folder. \(nothing) until it is. Correct \(Self.command)"
            }
            return nil
        } catch {
            let what = CampaignSearch.isCandidate(path) ? "file" : "folder"
            return [.missing, .noFolder].contains(error.kind)
                ? "There is no \(what) \(shown). \(nothing) until this \(what) exists. Put it back (is the disk mounted?), or correct \(Self.command)"
                : "The \(what) \(shown) cannot be read: \(error). \(nothing) until it can be read. Give this user read access, or correct \(Self.command)"
        }
    }
}
