import CampaignCore
import Files

enum FileReferenceFault: Error, Hashable, Sendable {
    case emptyPath
    case address
    case badCharacter
    case absolute
    case hidden(component: String)
    case outside
    case tooDeep
    /// `near` is a file with a similar name, or with this name in another folder.
    case missing(near: String? = nil)
    /// `other` exists, and its name looks the same.
    case otherForm(other: String)
    case folder
    case notRegular
    case refused
    case tooLarge(limit: Int)
    /// Not an audience file's name, and the config that names the folder was only found.
    case noExport
    /// Others can change it, or it belongs to them.
    case unprotected(FileFault)
    case unreadable(SystemFault)

    init(_ fault: SystemFault) {
        self =
            switch fault.kind {
            case .missing, .noFolder: .missing()
            case .special: .notRegular
            default: .unreadable(fault)
            }
    }

    /// Missing, as on a host that continues what another one staged.
    var isAbsence: Bool {
        switch self {
        case .missing: true
        case .unreadable(let fault): fault.kind == .missing
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
        case .badCharacter: "The path has a control character."
        case .absolute: "The path \"\(path: path)\" is absolute."
        case .hidden(let component):
            "The path \"\(path: path)\" leads through \"\(path: component.shortened)\", which is hidden."
        case .outside where isExport:
            "The path \"\(path: path)\" leads out of the folder of exports."
        case .outside: "The path \"\(path: path)\" leads out of the config's folder."
        case .tooDeep: "The path \"\(path: path)\" leads through too many folders or links."
        case .missing: "There is no file \"\(path: path)\"."
        case .otherForm:
            "There is no file \"\(path: path)\", but there is one whose name looks the same: it has its accents in another Unicode form (NFC or NFD)."
        case .folder: "\"\(path: path)\" is a folder."
        case .notRegular: "\"\(path: path)\" is a device, pipe or socket."
        case .refused:
            "\"\(path: path)\" belongs to hubsend itself: a campaign, the config, a key, the store or reports."
        case .tooLarge(let limit): "\"\(path: path)\" has more than \(Figures.count(limit)) bytes."
        case .noExport:
            "\"\(path: path)\" is not called like an audience file, and only a config that was found says where exports are."
        case .unprotected(let fault): "\"\(path: path)\" \(fault.problem)."
        case .unreadable(let fault) where isExport && fault.kind == .missing:
            "\"\(path: path)\" cannot be read: there is no folder of exports where the settings say."
        case .unreadable(let fault): "\"\(path: path)\" cannot be read: \(fault)."
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
            "What stands behind \"export:\" is a path beneath the folder that HUBSEND_AUDIENCES or \"audiences\" names."
        case .missing:
            "It is looked for in the folder that HUBSEND_AUDIENCES or \"audiences\" names; check whether it was exported."
        case .unreadable(let fault) where fault.kind == .missing:
            "Check HUBSEND_AUDIENCES, and \"audiences\" in hubsend.yaml."
        default: help
        }
    }

    /// For a path below the config's folder that may be written for another place.
    private func ownHelp(for path: String) -> DiagnosticMessage? {
        guard case .missing = self else { return help }
        if path.contains("\\") { return "Folders are divided by / here, also on Windows." }
        if path.hasPrefix("~") || path.contains("$") {
            return
                "Nothing replaces ~ and $ here; name a file beneath the folder of the config or campaign."
        }
        if path.contains("*") || path.contains("?") {
            return "Nothing fills in patterns here; name each file."
        }
        return help
    }

    /// For a file below the config's folder.
    var help: DiagnosticMessage? {
        switch self {
        case .absolute, .outside:
            "Files lie beneath the folder of the config, or of the campaign where there is none; copy it there."
        case .hidden(let component) where component.utf8.starts(with: "..".utf8):
            "Kubernetes keeps the content of a volume there; name the file as it stands in the volume itself."
        case .hidden: "Files and folders whose names begin with a dot are never read; rename it."
        case .otherForm(let other): "Rename the file, or copy its name from here: \(path: other)"
        case .missing(let near?): "Did you mean \"\(path: near)\"?"
        case .missing: "Paths are relative to the folder of the file that names them."
        case .address: "Download it, and name the file."
        case .folder: "Name a file in it."
        case .notRegular: "Name an ordinary file."
        case .refused: "Name another file."
        case .tooLarge: "Put it on a web server and name its address with \"url\"."
        case .noExport:
            "Let its name end in .csv, .tsv or .txt, or name the folder with HUBSEND_AUDIENCES."
        case .unprotected(.ownedByAnother):
            "Anybody who can change it decides who is sent to. Make it your own with chown, or copy it."
        case .unprotected:
            "Anybody who can change it decides who is sent to. Remove that right with chmod go-w, or copy the file."
        case .unreadable: "Check its permissions."
        case .emptyPath, .badCharacter, .tooDeep: nil
        }
    }
}
