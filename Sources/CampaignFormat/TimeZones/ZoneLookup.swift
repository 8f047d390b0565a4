import CampaignCore

/// Why a time zone cannot be used, wherever it was specified.
struct ZoneProblem {
    let rule: Rule
    let message: DiagnosticMessage
    let help: DiagnosticMessage

    init(
        _ problem: TimeZoneError, name: String, meant: [String],
        _ word: (String) -> DiagnosticMessage
    ) {
        switch problem {
        case .unknown:
            rule = .invalidTime
            message = "There is no time zone \"\(word(name.shortened))\" in this system's database."
            let quoted = meant.map { "\"\(word($0))\"" as DiagnosticMessage }
            if FormerZones.today(of: name) != nil, let today = quoted.first {
                help =
                    "Write \(today), its current name, or install the package tzdata-legacy, which contains the former name."
            } else if let first = quoted.first {
                let all = quoted.dropFirst().reduce(first) { "\($0) or \($1)" }
                help = "Did you mean \(all)?"
            } else {
                help =
                    "Write a region and city from the database, such as Europe/Berlin; abbreviations and offsets have no summer time."
            }
        case .noDatabase(let folder):
            rule = .unreadableFile
            message =
                "This system has no time zone database in \(folder), so the time cannot be computed."
            help = "Install the time zone package, which most systems call tzdata."
        case .unreadable(let path):
            rule = .unreadableFile
            message = "The time zone file \(path) cannot be read or is damaged."
            help = "Reinstall the system's package tzdata."
        }
    }
}

/// Looks up each name only once, because an audience has many people but few zones.
struct ZoneLookup {
    /// The maximum number of names that are remembered; beyond it, no names are suggested.
    ///
    /// There are fewer zones than this.
    private static let most = 1_000

    private let zones: any TimeZoneDatabase
    /// The problem with each name looked up so far; nil if the zone can be used.
    private var known: [String: ZoneProblem?] = [:]
    private lazy var names = zones.names

    init(_ zones: any TimeZoneDatabase) {
        self.zones = zones
    }

    /// Returns nil if there is a zone with this name.
    mutating func trouble(with name: String) -> ZoneProblem? {
        if let found = known[name] { return found }
        let isFull = known.count >= Self.most
        let trouble = find(name, namesMeant: !isFull)
        if !isFull { known[name] = .some(trouble) }
        return trouble
    }

    private mutating func find(_ name: String, namesMeant: Bool) -> ZoneProblem? {
        do throws(TimeZoneError) {
            _ = try zones.rules(of: name)
            return nil
        } catch {
            let isUnknown = error == .unknown && namesMeant
            let meant = isUnknown ? NearestZone.names(near: name, among: names) : []
            return ZoneProblem(error, name: name, meant: meant) { "\(audience: $0)" }
        }
    }
}
