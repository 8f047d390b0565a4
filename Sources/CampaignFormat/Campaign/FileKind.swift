import CampaignCore
import YAMLSyntax

/// What a YAML file is, by the keys at its top and nothing else: neither its name nor the environment.
///
/// A repository has YAML of other tools, which a search for campaigns passes over. A campaign that is broken or misspelt is still
/// one, so that it is reported.
package enum FileKind: Hashable, Sendable, CustomStringConvertible {
    /// A campaign, or what may be one: a file that is blank, too large, or not text.
    case campaign
    case config
    case devices
    case faults
    /// A plan that `preview --save` wrote: it names a campaign, but it is not a campaign itself.
    case plan
    /// A file of another tool.
    case other

    /// The keys of which a campaign has at least two; `description` has every other tool.
    private static let usual = [
        "kind", "platforms", "audience", "payload", "schedule", "delivery",
    ]
    private static let name = "campaign"
    /// The keys of which a plan has all, and nothing else any.
    private static let planKeys: [PlanDocument.Key] = [.campaignKeys, .configKeys, .salt]
    /// Longer words are not misspellings of one of these keys.
    private static let longestKey = 13
    /// Nor are longer words keys of other tools.
    private static let longestToolKey = 24
    /// Keys beyond this number are not looked at.
    private static let mostKeys = 1_000

    /// Tells what a file is.
    init(of document: YAMLDocument) {
        let isUnreadable = document.faults.contains { [.encoding, .tooLarge].contains($0.rule) }
        guard !isUnreadable, !document.source.isBlank else {
            self = .campaign
            return
        }
        self.init(keys: Self.keys(of: document))
    }

    /// The keys at the top of a file, also of one that cannot be read.
    private static func keys(of document: YAMLDocument) -> [String] {
        document.root.flatMap(keys)
            ?? Array(document.source.keysOfLines(upTo: longestToolKey).prefix(mostKeys))
    }

    // MARK: Other tools

    /// Files of other tools, with the keys by which each is known.
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

    /// What tool a file is for, as a sentence has it; nil where it may as well be a campaign whose keys are all wrong.
    ///
    /// - Parameter document: a file of the kind ``other``.
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

    /// The kind of file other than a campaign that has this key at its top.
    private init?(key: String) {
        switch key {
        case "devices": self = .devices
        case "faults": self = .faults
        case _ where TellingKeys.configSections.contains(key): self = .config
        default: return nil
        }
    }

    /// The keys of a mapping; those of a list's first one, which somebody may have begun with a hyphen by mistake.
    ///
    /// - Returns: nil for a text, as which a file without a blank behind its colons is read.
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

    /// With its article, as a sentence has it.
    package var description: String {
        switch self {
        case .campaign: "a campaign"
        case .config: "a config file"
        case .devices: "a devices file"
        case .faults: "a faults file"
        case .plan: "a plan"
        case .other: "none of hubsend's files"
        }
    }

    /// What to do with a file of ours that is given as a campaign; nil for a campaign and other tools' files.
    ///
    /// - Parameter path: the file; `-` for standard input.
    func place(of path: String) -> DiagnosticMessage? {
        switch self {
        case .campaign, .other: nil
        case .config:
            "Commands take it with --config, and find it by themselves when it is called hubsend.yaml."
        case .devices:
            "A config names it under \"hub.local\", and \"hubsend hub\" takes it with --devices."
        case .faults: "\"hubsend hub\" takes it with --faults."
        case .plan:
            "To send it: hubsend run CAMPAIGN --plan \(path: path == "-" ? "PLAN" : ShellWord.quoted(path))"
        }
    }
}

extension SourceText {
    /// Whether there is nothing but blanks and line breaks.
    fileprivate var isBlank: Bool {
        bytes.allSatisfy { " \t\r\n".utf8.contains($0) }
    }

    /// What stands before a colon or `=` at the beginnings of lines, of a text that is not YAML; in braces and brackets, behind
    /// blanks too.
    ///
    /// Lines begin where the first of them does, which may be indented or begin with a hyphen by mistake.
    ///
    /// - Parameter length: the most letters of a key; longer ones are left out.
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
                let key = line.prefix(length + 1).prefix { byte in
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                        || "0123456789_-".utf8.contains(byte)
                }
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

/// What stands before the key of each line of a text that is not YAML.
private struct LineMargin {
    private let isInBraces: Bool
    private let width: Int

    /// Looks at a line.
    ///
    /// - Returns: nil for one that holds only blanks, a comment, a directive or the mark of a document.
    init?(of line: ArraySlice<UInt8>) {
        let content = line.drop { " \t".utf8.contains($0) }
        guard let sign = content.first, !"#%".utf8.contains(sign), !content.starts(with: "---".utf8)
        else { return nil }
        // With two braces, or a brace and %, it is a template of another tool, whose keys stand where they are.
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
