import CampaignCore
package import Files

/// A YAML file that the command line or a setting specifies, read completely.
struct InputFile {
    let path: String
    /// The content; empty if the file is too large.
    let bytes: [UInt8]
    let size: Int
    let limit: Int
    /// nil for standard input.
    private let reach: FileReach?

    init(path: String, bytes: [UInt8]) {
        let limit = YAMLLimits().bytes
        let kept = bytes.count <= limit ? bytes : []
        self.init(path: path, bytes: kept, size: bytes.count, limit: limit, reach: nil)
    }

    private init(path: String, bytes: [UInt8], size: Int, limit: Int, reach: FileReach?) {
        self.path = path
        self.bytes = bytes
        self.size = size
        self.limit = limit
        self.reach = reach
    }

    /// Reads a regular file, or only its size if the file is too large.
    ///
    /// - Parameters:
    ///   - path: a link must not lead out of its folder.
    ///   - folders: a link may lead within these too, but to nothing hidden.
    ///   - isProtected: whether to record who else can access it.
    static func read(
        _ path: String, within folders: [String] = [], limit: Int = YAMLLimits().bytes,
        isProtected: Bool = false
    ) throws(InputFileError) -> InputFile {
        let file: OpenFile
        do throws(NamedFile.Failure) {
            file = try NamedFile.open(path, within: folders)
        } catch {
            switch error {
            case .leadsOut(let target): throw .linkOut(path: path, target: target)
            case .system(let problem): throw InputFileError(problem, at: path)
            }
        }
        let status: FileStatus
        let reach: FileReach?
        let bytes: [UInt8]?
        do throws(SystemError) {
            status = try file.status()
            reach = isProtected ? try file.reach() : nil
            bytes = status.kind == .regular ? try file.contents(limit: limit) : []
        } catch {
            throw InputFileError(error, at: path)
        }
        guard status.kind != .folder else { throw .folder(path: path) }
        guard status.kind == .regular else { throw .notRegular(path: path) }
        return InputFile(
            path: path, bytes: bytes ?? [], size: bytes?.count ?? max(limit + 1, status.size),
            limit: limit, reach: reach)
    }

    var owner: SystemUser? { reach.map { SystemUser($0.status.owner) } }

    /// The reason why the file is not protected well enough; nil if it is.
    func objection(to protection: FileProtection) -> ProtectedFileError? {
        reach.flatMap { protection.objection(to: $0) }
    }
}

/// Why a file could not be read at all.
package enum InputFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// `near` lists campaign files that may have been meant.
    case missing(path: String, near: [String] = [])
    /// The path contains U+FFFD in place of bytes that are not UTF-8.
    case notUTF8(path: String)
    /// `other` exists, and its name looks the same.
    case otherForm(path: String, other: String)
    case folder(path: String)
    case notRegular(path: String)
    /// `target` is the real path of the linked file.
    case linkOut(path: String, target: String)
    /// `reason` is the operating system's message.
    case unreadable(path: String, reason: String)
    /// Other users could change what is sent and where, or could read a secret in the file.
    case unprotected(path: String, ProtectedFileError, holdsSecret: Bool = false)
    /// The file or its folder belongs to another user, and the system refuses access.
    case closed(path: String, SystemUser)

    init(_ problem: SystemError, at path: String) {
        self =
            switch problem.kind {
            case .missing, .noFolder: Self.missing(at: path)
            case .special: .notRegular(path: path)
            case .denied:
                SystemUser.denying(path).map { .closed(path: path, $0) }
                    ?? .unreadable(path: path, reason: problem.description)
            default: .unreadable(path: path, reason: problem.description)
            }
    }

    private static func missing(at path: String) -> InputFileError {
        if path.unicodeScalars.contains("\u{FFFD}") { return .notUTF8(path: path) }
        return Folder.otherUnicodeForm(of: path).map { .otherForm(path: path, other: $0) }
            ?? .missing(path: path)
    }

    package var description: String { message.text }

    /// The message, in which reports can mask the paths or make them relative to another folder.
    package var message: DiagnosticMessage {
        switch self {
        case .notUTF8(let path):
            "The name \"\(file: path)\" is not UTF-8, so the file cannot be read; rename it."
        case .otherForm(let path, let other):
            "There is no file \"\(file: path)\", but another file's name looks the same; its accents use a different Unicode form (NFC or NFD). To rename it: mv \(file: other, isWord: true) \(file: path, isWord: true)"
        case .missing(let path, near: _) where Self.isPattern(path):
            "There is no file \"\(file: path)\": no name matches the pattern; check the pattern, or list the files."
        case .missing(let path, near: []):
            "There is no file \"\(file: path)\"; check the path."
        case .missing(let path, let near):
            "There is no file \"\(file: path)\". Did you mean \(path: near.map(ShellWord.quoted).joined(separator: " or "))?"
        case .folder(let path):
            "\"\(file: path)\" is a folder; specify a file in it."
        case .notRegular(let path):
            "\"\(file: path)\" is a device, pipe or socket; specify a regular file."
        case .linkOut(let path, let target):
            "\"\(file: path)\" is a link that leads out of its folder and was not read; specify the file itself: \(file: target)"
        case .unreadable(let path, let reason):
            "\"\(file: path)\" cannot be read: \(reason); check its permissions."
        case .unprotected(let path, let access, let holdsSecret):
            "\"\(file: path)\" \(holdsSecret ? "contains a connection string, a heartbeat address or a password, and " : "")\(access.problem). \(access.advice.text)\(access.advice.command.map { " \($0) \(file: path, isWord: true)" } ?? "")"
        case .closed(let path, let owner):
            "\"\(file: path)\" cannot be read: it, or a folder above it, belongs to the user \(owner). Run hubsend as \(owner), or correct its permissions."
        }
    }

    /// If no name matches a pattern, the shell passes the pattern unchanged.
    private static func isPattern(_ path: String) -> Bool {
        path.contains("*") || path.contains("?") || path.contains("[") && path.contains("]")
    }
}
