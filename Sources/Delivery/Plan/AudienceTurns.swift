package import CampaignCore
package import FoundationEssentials

/// Whose turn is when in an audience: the campaign's rule, and how many of its people have which time zone.
package struct AudienceTurns: Sendable {
    /// People whose turn is the same.
    struct Group: Sendable {
        let turn: Turn
        /// Their zones, as the sorter counts them.
        fileprivate(set) var zones: [ZoneCount]

        var recipients: Int { zones.reduce(0) { $0 + $1.recipients } }
    }

    private let rule: TurnRule
    private let sorter: any AudienceSorter
    private let zones: [(count: ZoneCount, rules: TimeZoneRules)]

    /// Looks at an audience.
    ///
    /// - Parameters:
    ///   - rule: when people may be sent to.
    ///   - sorter: knows them; it is settled.
    ///   - database: where their zones are looked up; nil: nobody has a zone of their own.
    /// - Throws: ``ZoneNotKnown``; what the sorter throws.
    init(
        _ rule: TurnRule, of sorter: any AudienceSorter, in database: (any TimeZoneDatabase)?
    ) async throws {
        self.rule = rule
        self.sorter = sorter
        var zones: [(count: ZoneCount, rules: TimeZoneRules)] = []
        for count in try await sorter.zones() {
            zones.append((count, try Self.rules(of: count, in: database) ?? rule.zone))
        }
        self.zones = zones
    }

    private static func rules(
        of count: ZoneCount, in database: (any TimeZoneDatabase)?
    ) throws(ZoneNotKnown) -> TimeZoneRules? {
        guard let zone = count.zone else { return nil }
        do throws(TimeZoneFault) {
            guard let database else { throw TimeZoneFault.unknown }
            return try database.rules(of: zone)
        } catch {
            throw ZoneNotKnown(zone: zone, recipients: count.recipients, fault: error)
        }
    }

    /// Whether people have a turn only once a day, so that the turns of earlier runs count.
    var isDaily: Bool { rule.localTime != nil }

    /// The groups by when their turn begins; every recipient is in one.
    ///
    /// - Parameters:
    ///   - start: when the run starts, as ``start(of:by:)`` says.
    ///   - end: when its payloads expire.
    ///   - earlier: the turns of earlier runs of the campaign.
    func groups(from start: Int, through end: Date, besides earlier: EarlierTurns) -> [Group] {
        let end = max(start, Int(end.timeIntervalSince1970.rounded(.down)))
        var groups: [Turn: Group] = [:]
        for (count, rules) in zones {
            let turn = rule.turn(
                in: rules, from: start, through: end, besides: earlier.instants(in: rules.name))
            groups[turn, default: Group(turn: turn, zones: [])].zones.append(count)
        }
        return groups.values.sorted { $0.turn.precedes($1.turn) }
    }

    /// Groups as the waves of a run.
    func waves(of groups: [Group]) -> [RunWave] {
        var last = 0
        return groups.enumerated().map { index, group in
            let first = last + 1
            last += group.recipients
            return RunWave(
                number: index + 1, recipients: first...last, turn: group.turn,
                zones: names(of: group))
        }
    }

    /// Groups as the waves of a plan.
    ///
    /// - Parameters:
    ///   - groups: the groups.
    ///   - deadline: when the run's time is up.
    func planned(_ groups: [Group], before deadline: Date) -> [PlannedWave] {
        groups.map { group in
            let opens = Date(timeIntervalSince1970: Double(group.turn.opens))
            return PlannedWave(
                opens: opens, zones: names(of: group), recipients: group.recipients,
                isTooLate: opens >= deadline)
        }
    }

    /// Puts the audience into the order of its groups.
    func arrange(_ groups: [Group]) async throws {
        try await sorter.arrange(groups.map { $0.zones.map(\.zone) })
    }

    private func names(of group: Group) -> [String] {
        Set(group.zones.map { $0.zone ?? rule.zone.name }).sorted()
    }

    /// When turns begin to count, in seconds since 1970: the minute in which the run starts, or that of its occurrence.
    ///
    /// So a run for nine o'clock that starts a little later still reaches those whose turn is at nine.
    static func start(of run: RunRecord, by schedule: Schedule?) -> Int {
        guard let schedule, let due = run.occurrence.scheduled, due <= run.started,
            run.started.timeIntervalSince(due) <= schedule.startDeadline / .seconds(1)
        else { return start(at: run.started) }
        return start(at: due)
    }

    /// The minute in which an instant lies, in seconds since 1970: turns begin to count then in a run that starts at that instant.
    static func start(at date: Date) -> Int {
        Int((date.timeIntervalSince1970 / 60).rounded(.down)) * 60
    }
}

extension Turn {
    /// Whether it comes before another turn: by when they begin, then by the rest of their windows.
    fileprivate func precedes(_ other: Turn) -> Bool {
        instants.lexicographicallyPrecedes(other.instants)
    }

    private var instants: [Int] {
        windows.flatMap { [$0.opens, $0.closes ?? .max] }
    }
}

/// The recipients of a plan whose turn begins at the same instant.
package struct PlannedWave: Hashable, Sendable {
    package let opens: Date
    /// Their time zones by name; people whose zone is not known have the campaign's.
    package let zones: [String]
    package let recipients: Int
    /// Whether the run's time is up before their turn begins, so that they would be skipped.
    package let isTooLate: Bool

    package init(opens: Date, zones: [String], recipients: Int, isTooLate: Bool) {
        self.opens = opens
        self.zones = zones
        self.recipients = recipients
        self.isTooLate = isTooLate
    }
}

/// People have a time zone that this machine does not know, so that their turn cannot be told.
package struct ZoneNotKnown: Error, Hashable, Sendable, CustomStringConvertible {
    package let zone: String
    /// How many people have it.
    package let recipients: Int
    package let fault: TimeZoneFault

    package var description: String {
        let people = Figures.count(recipients, "person has", "people have")
        let zone = VisibleText.escape(zone)
        return switch fault {
        case .unknown:
            "\(people) the time zone \(zone), which is not known on this machine; nothing was sent, so "
                + "correct it in the audience."
        case .noDatabase(let folder):
            "\(people) the time zone \(zone), and this machine has no time zone database in \(folder); "
                + "nothing was sent, so install it (tzdata) and run again."
        case .unreadable(let path):
            "\(people) the time zone \(zone), whose file \(VisibleText.path(path)) cannot be read; nothing "
                + "was sent, so install the time zone database (tzdata) anew and run again."
        }
    }
}
