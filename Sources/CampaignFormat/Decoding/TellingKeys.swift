import YAMLSyntax

/// The keys by which a file is known to be hubsend's, so that its lines may be shown.
///
/// Any file can be named, or linked to, as a campaign. No line of a file that is not ours may appear in a log.
enum TellingKeys {
    /// A campaign has the key `campaign`, or at least two of its other keys: every secret of Kubernetes has `kind`.
    case campaign
    case config
    case devices
    case faults
    /// A text that was written for hubsend, such as the value of a flag; it can always be shown.
    case argument

    /// The keys of a config that no other tool's files have, or hardly any.
    static let configSections = ["hub", "store", "reports", "audiences", "backend", "rehearsal"]
    /// Files of other tools have a version too.
    private static let campaignKeys = FileShape.campaign.root.names.filter { $0 != "version" }

    /// What a file may hold that can name people; nil for one that shows none of them.
    var shapeWithPeople: FileShape? {
        switch self {
        case .campaign: .campaign
        case .config: .config
        case .devices, .faults, .argument: nil
        }
    }

    /// Whether a file is one of ours, by its keys; where it is not YAML, by what its lines begin with.
    func stand(in document: YAMLDocument) -> Bool {
        switch self {
        case .campaign:
            Self.keys(among: Self.campaignKeys, in: document) { keys in
                keys.contains("campaign") || keys.count > 1
            }
        case .config:
            Self.keys(among: FileShape.config.root.names, in: document) { keys in
                !keys.isDisjoint(with: Self.configSections) || keys.count > 1
            }
        case .devices: Self.keys(among: ["devices"], in: document) { !$0.isEmpty }
        case .faults: Self.keys(among: ["faults"], in: document) { !$0.isEmpty }
        case .argument: true
        }
    }

    /// Whether the known keys at the top of a file are enough to tell.
    private static func keys(
        among known: [String], in document: YAMLDocument, areEnough: (Set<String>) -> Bool
    ) -> Bool {
        guard let root = document.root else {
            var found: Set<String> = []
            return document.source.lineBeginnings(among: known).contains { key in
                found.insert(key)
                return areEnough(found)
            }
        }
        guard case .mapping(let entries) = root.content else { return false }
        let keys = entries.compactMap { entry in
            if case .scalar(let key) = entry.key.content { key.text } else { nil }
        }
        return areEnough(Set(known).intersection(keys))
    }
}
