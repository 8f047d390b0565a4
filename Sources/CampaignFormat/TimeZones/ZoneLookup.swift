import CampaignCore

/// Why nothing is known of a time zone, wherever it was named.
struct ZoneTrouble {
    let rule: Rule
    let message: DiagnosticMessage
    let help: DiagnosticMessage

    init(
        _ fault: TimeZoneFault, name: String, meant: [String],
        _ word: (String) -> DiagnosticMessage
    ) {
        switch fault {
        case .unknown:
            rule = .invalidTime
            message = "There is no time zone \"\(word(name.shortened))\" in this system's database."
            let quoted = meant.map { "\"\(word($0))\"" as DiagnosticMessage }
            if FormerZones.today(of: name) != nil, let today = quoted.first {
                help =
                    "Write \(today), which has the same clocks, or install the package tzdata-legacy, which has the former name."
            } else if let first = quoted.first {
                let all = quoted.dropFirst().reduce(first) { "\($0) or \($1)" }
                help = "Did you mean \(all)?"
            } else {
                help =
                    "Write region and city as the database has them, such as Europe/Berlin; abbreviations and offsets know no summer time."
            }
        case .noDatabase(let folder):
            rule = .unreadableFile
            message =
                "This system has no time zone database in \(folder), so that nobody can say when this is."
            help = "Install the system's package of it, which most systems call tzdata."
        case .unreadable(let path):
            rule = .unreadableFile
            message = "The time zone's file \(path) cannot be read, or is damaged."
            help = "Install the system's package tzdata again."
        }
    }
}

/// Looks each different name up once: an audience has many people and few zones.
struct ZoneLookup {
    /// There are fewer zones than this; beyond it, no names are suggested.
    private static let most = 1_000

    private let zones: any TimeZoneDatabase
    /// nil: nothing is wrong with the name.
    private var known: [String: ZoneTrouble?] = [:]
    private lazy var names = zones.names

    init(_ zones: any TimeZoneDatabase) {
        self.zones = zones
    }

    /// nil for the name of a zone.
    mutating func trouble(with name: String) -> ZoneTrouble? {
        if let found = known[name] { return found }
        let isFull = known.count >= Self.most
        let trouble = find(name, namesMeant: !isFull)
        if !isFull { known[name] = .some(trouble) }
        return trouble
    }

    private mutating func find(_ name: String, namesMeant: Bool) -> ZoneTrouble? {
        do throws(TimeZoneFault) {
            _ = try zones.rules(of: name)
            return nil
        } catch {
            let isUnknown = error == .unknown && namesMeant
            let meant = isUnknown ? NearestZone.names(near: name, among: names) : []
            return ZoneTrouble(error, name: name, meant: meant) { "\(audience: $0)" }
        }
    }
}
