import CampaignCore

/// The kind of a YAML file, determined only by its top-level keys, not by its name.
///
/// A broken or misspelt campaign is still treated as a campaign, so that its errors are reported.
package enum FileKind: Hashable, Sendable, CustomStringConvertible {
    /// Includes files that may be campaigns: files that are blank, too large or not text.
    case campaign
    case config
    case devices
    case faults
    /// A plan that `preview --save` wrote.
    case plan
    case other

    /// A campaign has at least two of these keys; `description` is not one of them because it is
    /// too common.
    private static let usual = [
        "kind", "platforms", "audience", "payload", "schedule", "delivery",
    ]
    private static let name = "campaign"
    /// A plan has all of these keys; no other file has any of them.
    private static let planKeys: [PlanDocument.Key] = [.campaignKeys, .configKeys, .salt]
    /// The maximum length of a word that may be a misspelling of these keys.
    private static let longestKey = 13
    /// The maximum length of a word that may be another tool's key.
    private static let longestToolKey = 24
    private static let mostKeys = 1_000

    init(of document: YAMLDocument) {
        let isUnreadable = document.errors.contains { [.encoding, .tooLarge].contains($0.rule) }
        guard !isUnreadable, !document.source.isBlank else {
            self = .campaign
            return
        }
        self.init(keys: Self.keys(of: document))
    }

    /// Also works for files that are not valid YAML.
    private static func keys(of document: YAMLDocument) -> [String] {
        document.root.flatMap(keys)
            ?? Array(document.source.keysOfLines(upTo: longestToolKey).prefix(mostKeys))
    }

    // MARK: Other tools

    /// Other tools, with the keys that identify their files.
    private static let tools: [(name: String, keys: [Set<String>])] = [
        ("a Docker Compose file", [["services"]]),
        ("a GitHub Actions workflow", [["on", "jobs"], ["name", "jobs"]]),
        ("a GitHub action", [["name", "runs"]]),
        ("a Dependabot file", [["version", "updates"]]),
        ("a GitLab CI file", [["stages"], ["default", "include"]]),
        (
            "a CI file",
            [
                ["jobs", "workflows"], ["steps"], ["pipelines"], ["trigger", "pool"],
                ["language", "script"],
            ]
        ),
        ("a Kubernetes object", [["apiVersion", "kind"]]),
        ("a Helm chart", [["apiVersion", "appVersion"], ["apiVersion", "name", "version"]]),
        ("an OpenAPI description", [["openapi"], ["swagger"]]),
        ("an AsyncAPI description", [["asyncapi"]]),
        (
            "a package.json file",
            [["name", "dependencies"], ["name", "devDependencies"], ["name", "scripts"]]
        ),
        ("a JSON Schema", [["$schema", "type"], ["$schema", "properties"]]),
        ("a compiler's settings", [["compilerOptions"]]),
        ("an Ansible playbook", [["hosts", "tasks"], ["hosts", "roles"]]),
        ("a CloudFormation template", [["AWSTemplateFormatVersion"], ["Resources"]]),
        ("a Serverless file", [["service", "provider"]]),
        ("a pre-commit file", [["repos"]]),
        ("an MkDocs file", [["site_name"]]),
        ("a Prometheus file", [["scrape_configs"], ["groups"]]),
    ]

    /// Describes a file of the kind ``other`` by its tool; nil if it may be a campaign with only
    /// wrong keys.
    static func tool(of document: YAMLDocument) -> String? {
        let keys = Set(keys(of: document))
        return tools.first { $0.keys.contains(where: keys.isSuperset) }?.name
    }

    private init(keys: [String]) {
        guard !Self.planKeys.map(\.rawValue).allSatisfy(keys.contains) else {
            self = .plan
            return
        }
        var found: Set<String> = []
        var own: FileKind?
        for key in keys {
            if key.utf8.count <= Self.longestKey,
                let known = NearestName.nearest(to: key, among: [Self.name] + Self.usual)
            {
                found.insert(known)
            }
            guard !found.contains(Self.name), found.count < 2 else {
                self = .campaign
                return
            }
            if own == nil { own = FileKind(key: key) }
        }
        self = own ?? .other
    }

    private init?(key: String) {
        switch key {
        case "devices": self = .devices
        case "faults": self = .faults
        case _ where IdentifyingKeys.configSections.contains(key): self = .config
        default: return nil
        }
    }

    /// The top-level keys or, because of a possible stray hyphen, those of a list's first item; nil
    /// for text.
    private static func keys(of root: YAMLNode) -> [String]? {
        var node = root
        if case .sequence(let items) = root.content {
            guard let first = items.first else { return [] }
            node = first
        }
        guard case .mapping(let entries) = node.content else { return nil }
        return entries.prefix(mostKeys).compactMap { entry in
            if case .scalar(let key) = entry.key.content { key.text } else { nil }
        }
    }

    /// The kind as a noun with its article.
    package var description: String {
        switch self {
        case .campaign: "a campaign"
        case .config: "a config file"
        case .devices: "a devices file"
        case .faults: "a faults file"
        case .plan: "a plan"
        case .other: "not a hubsend file"
        }
    }

    /// nil for a campaign and for other tools' files.
    func place(of path: String) -> DiagnosticMessage? {
        switch self {
        case .campaign, .other: nil
        case .config:
            "Pass it to commands with --config; a config that is called hubsend.yaml is found automatically."
        case .devices:
            "Specify it in a config under \"hub.local\", or pass it to \"hubsend hub\" with --devices."
        case .faults: "Pass it to \"hubsend hub\" with --faults."
        case .plan:
            "To send it: hubsend run CAMPAIGN --plan \(path: path == "-" ? "PLAN" : ShellWord.quoted(path))"
        }
    }
}

extension SourceText {
    fileprivate var isBlank: Bool {
        bytes.allSatisfy { " \t\r\n".utf8.contains($0) }
    }

    /// The words before `:` or `=` at the start of lines, for text that is not YAML.
    ///
    /// Lines must have the indentation of the first line; within braces and brackets, any
    /// indentation is allowed.
    fileprivate func keysOfLines(upTo length: Int) -> some Sequence<String> {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var lines = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0)[...]
        var margin: LineMargin?
        return AnyIterator {
            while !lines.isEmpty {
                var line = lines.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
                lines = lines[line.endIndex...].dropFirst()
                margin = margin ?? LineMargin(of: line)
                line = margin?.dropped(from: line) ?? line
                line = line.drop { "\"'".utf8.contains($0) }
                let key = line.prefix(length + 1).prefix { $0.isAlphanumeric(or: "_-") }
                let rest = line[key.endIndex...].drop { " \t\"'".utf8.contains($0) }
                guard !key.isEmpty, let sign = rest.first, ":=".utf8.contains(sign) else {
                    continue
                }
                return String(decoding: key, as: UTF8.self)
            }
            return nil
        }
    }
}

/// The characters before the key of each line.
private struct LineMargin {
    private let isInBraces: Bool
    private let width: Int

    /// nil for a line with only blanks, a comment, a directive or a document marker.
    init?(of line: ArraySlice<UInt8>) {
        let content = line.drop { " \t".utf8.contains($0) }
        guard let sign = content.first, !"#%".utf8.contains(sign), !content.starts(with: "---".utf8)
        else { return nil }
        // `{{` and `{%` begin another tool's template, whose keys are not indented.
        let isTemplate = ["{{", "{%"].contains { content.starts(with: $0.utf8) }
        isInBraces = !isTemplate && "{[".utf8.contains(sign)
        width = isTemplate ? 0 : line.prefix { " \t-".utf8.contains($0) }.count
    }

    func dropped(from line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        isInBraces
            ? line.drop { " \t{[,".utf8.contains($0) }
            : line.dropFirst(line.prefix(width).prefix { " \t-".utf8.contains($0) }.count)
    }
}
