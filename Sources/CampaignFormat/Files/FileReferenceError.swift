import CampaignCore
import Files

enum FileReferenceError: Error, Hashable, Sendable {
    case emptyPath
    case address
    case badCharacter
    case absolute
    case hidden(component: String)
    case outside
    case tooDeep
    /// `near` is a file with a similar name, or with the same name in another folder.
    case missing(near: String? = nil)
    /// `other` exists, and its name looks the same.
    case otherForm(other: String)
    case folder
    case notRegular
    case refused
    case tooLarge(limit: Int)
    /// The file does not have an audience file's extension, which is required if hubsend itself
    /// found the config that sets the folder.
    case noExport
    /// Another user owns the file or can change it.
    case unprotected(ProtectedFileError)
    case unreadable(SystemError)

    init(_ problem: SystemError) {
        self =
            switch problem.kind {
            case .missing, .noFolder: .missing()
            case .special: .notRegular
            default: .unreadable(problem)
            }
    }

    /// Whether the file is missing, as it may be on a host that continues a run staged elsewhere.
    var isAbsence: Bool {
        switch self {
        case .missing: true
        case .unreadable(let problem): problem.kind == .missing
        default: false
        }
    }

    var rule: Rule {
        switch self {
        case .missing, .otherForm: .missingFile
        case .tooLarge: .tooLarge
        case .unreadable: .unreadableFile
        case .emptyPath: .emptyValue
        case .address: .wrongType
        case .badCharacter, .absolute, .hidden, .outside, .tooDeep, .folder, .notRegular, .refused,
            .noExport, .unprotected:
            .refusedFile
        }
    }

    func message(for path: String) -> DiagnosticMessage {
        let isExport = path.hasPrefix(ExportFolder.prefix)
        let path = path.shortened
        return switch self {
        case .emptyPath: "The path is empty."
        case .address: "\"\(path)\" is an address, not a file."
        case .badCharacter: "The path contains a control character."
        case .absolute: "The path \"\(path: path)\" is absolute."
        case .hidden(let component):
            "The path \"\(path: path)\" leads through \"\(path: component.shortened)\", which is hidden."
        case .outside where isExport:
            "The path \"\(path: path)\" leads out of the folder of exports."
        case .outside: "The path \"\(path: path)\" leads out of the config's folder."
        case .tooDeep: "The path \"\(path: path)\" leads through too many folders or links."
        case .missing: "There is no file \"\(path: path)\"."
        case .otherForm:
            "There is no file \"\(path: path)\", but another file's name looks the same: its accents use a different Unicode form (NFC or NFD)."
        case .folder: "\"\(path: path)\" is a folder."
        case .notRegular: "\"\(path: path)\" is a device, pipe or socket."
        case .refused:
            "\"\(path: path)\" is one of hubsend's own files: a campaign, the config, a key, the store or a report."
        case .tooLarge(let limit): "\"\(path: path)\" has more than \(Figures.count(limit)) bytes."
        case .noExport:
            "\"\(path: path)\" must end in .csv, .tsv or .txt, because hubsend itself found the config that sets the folder of exports."
        case .unprotected(let access): "\"\(path: path)\" \(access.problem)."
        case .unreadable(let problem) where isExport && problem.kind == .missing:
            "\"\(path: path)\" cannot be read: the folder of exports does not exist."
        case .unreadable(let problem): "\"\(path: path)\" cannot be read: \(problem)."
        }
    }

    func message(forAudience path: String) -> DiagnosticMessage {
        let message = message(for: path)
        return AudienceFile.isLikely(path: path) ? message : message.namingPeople
    }

    func help(for path: String) -> DiagnosticMessage? {
        guard path.hasPrefix(ExportFolder.prefix) else { return ownHelp(for: path) }
        return switch self {
        case .missing(let near?): "Did you mean \"\(path: ExportFolder.prefix + near)\"?"
        case .absolute, .outside:
            "After \"export:\", write a path below the folder that HUBSEND_AUDIENCES or \"audiences\" sets."
        case .missing:
            "Check whether it was exported to the folder that HUBSEND_AUDIENCES or \"audiences\" sets."
        case .unreadable(let problem) where problem.kind == .missing:
            "Check HUBSEND_AUDIENCES, and \"audiences\" in hubsend.yaml."
        default: help
        }
    }

    /// Help for a path that may have been written for another system.
    private func ownHelp(for path: String) -> DiagnosticMessage? {
        guard case .missing = self else { return help }
        if path.contains("\\") { return "Separate folders with /, even on Windows." }
        if path.hasPrefix("~") || path.contains("$") {
            return
                "~ and $ are not expanded here; use a file below the folder of the config or campaign."
        }
        if path.contains("*") || path.contains("?") {
            return "Patterns are not expanded here; list each file."
        }
        return help
    }

    /// Help for a file below the config's folder.
    var help: DiagnosticMessage? {
        switch self {
        case .absolute, .outside:
            "Files must be below the config's folder, or the campaign's folder if there is no config; copy the file there."
        case .hidden(let component) where component.utf8.starts(with: "..".utf8):
            "Kubernetes keeps the content of a volume there; use the file's path in the volume itself."
        case .hidden:
            "Files and folders whose names begin with a dot are never read; rename the file or folder."
        case .otherForm(let other): "Rename the file, or copy its name from here: \(path: other)"
        case .missing(let near?): "Did you mean \"\(path: near)\"?"
        case .missing: "Paths are relative to the folder of the file that contains them."
        case .address: "Download it, and use the downloaded file."
        case .folder: "Use a file in it."
        case .notRegular: "Use a regular file."
        case .refused: "Use another file."
        case .tooLarge: "Put it on a web server, and set \"url\" to its address."
        case .noExport:
            "Rename it to end in .csv, .tsv or .txt, or set the folder with HUBSEND_AUDIENCES."
        case .unprotected(.ownedByAnother):
            "Anybody who can change it can decide who gets the push. Take ownership with chown, or copy it."
        case .unprotected:
            "Anybody who can change it can decide who gets the push. Remove that permission with chmod go-w, or copy the file."
        case .unreadable: "Check its permissions."
        case .emptyPath, .badCharacter, .tooDeep: nil
        }
    }
}
