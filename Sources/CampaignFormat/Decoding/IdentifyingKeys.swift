/// The keys that identify a file as hubsend's, so that its lines may be shown.
///
/// Any file can be named or linked as a campaign; other files' lines must not get into a log.
enum IdentifyingKeys {
    /// The key `campaign`, or two other keys; one is not enough, because every Kubernetes secret
    /// has `kind`.
    case campaign
    case config
    case devices
    case faults
    /// Text that was written for hubsend, such as a flag's value; it can always be shown.
    case argument

    /// Keys that hardly any other tool's files have.
    static let configSections = ["hub", "store", "reports", "audiences", "backend", "rehearsal"]
    /// Files of other tools have a version too.
    private static let campaignKeys = FileShape.campaign.root.names.filter { $0 != "version" }

    /// nil for files that never name people.
    var shapeWithPeople: FileShape? {
        switch self {
        case .campaign: .campaign
        case .config: .config
        case .devices, .faults, .argument: nil
        }
    }

    /// Checks the keys or, if the file is not YAML, the beginnings of its lines.
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
