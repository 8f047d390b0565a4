package import CampaignCore
package import FoundationEssentials

/// When each person's turn is: the campaign's rule and the audience's time zones.
package struct AudienceTurns: Sendable {
    struct Group: Sendable {
        let turn: Turn
        fileprivate(set) var zones: [ZoneCount]

        var recipients: Int { zones.reduce(0) { $0 + $1.recipients } }
    }

    private let rule: TurnRule
    private let sorter: any AudienceSorter
    private let zones: [(count: ZoneCount, rules: TimeZoneRules)]

    /// Takes a settled sorter; without a database, nobody has a zone of their own.
    init(
        _ rule: TurnRule, of sorter: any AudienceSorter, in database: (any TimeZoneDatabase)?
    ) async throws {
        self.rule = rule
        self.sorter = sorter
        zones = try await sorter.zones().map { count in
            guard let zone = count.zone else { return (count, rule.zone) }
            do throws(TimeZoneFault) {
                guard let database else { throw .unknown }
                return (count, try database.rules(of: zone))
            } catch {
                throw ZoneNotKnown(zone: zone, recipients: count.recipients, fault: error)
            }
        }
    }

    /// Whether turns come only once a day, so that turns of earlier runs count.
    var isDaily: Bool { rule.localTime != nil }

    /// Groups by the start of their turn; every recipient is in one.
    ///
    /// - Parameters:
    ///   - start: as ``start(of:by:)`` says.
    ///   - earlier: starts of earlier turns, by zone.
    func groups(from start: Int, through end: Date, besides earlier: [String: [Int]]) -> [Group] {
        let end = max(start, Int(end.timeIntervalSince1970.rounded(.down)))
        var groups: [Turn: Group] = [:]
        for (count, rules) in zones {
            let turn = rule.turn(
                in: rules, from: start, through: end, besides: earlier[rules.name] ?? [])
            groups[turn, default: Group(turn: turn, zones: [])].zones.append(count)
        }
        return groups.values.sorted { $0.turn.instants.lexicographicallyPrecedes($1.turn.instants) }
    }

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

    func planned(_ groups: [Group], before deadline: Date) -> [PlannedWave] {
        groups.map { group in
            let opens = Date(timeIntervalSince1970: Double(group.turn.opens))
            return PlannedWave(
                opens: opens, zones: names(of: group), recipients: group.recipients,
                isTooLate: opens >= deadline)
        }
    }

    func arrange(_ groups: [Group]) async throws {
        try await sorter.arrange(groups.map { $0.zones.map(\.zone) })
    }

    private func names(of group: Group) -> [String] {
        Set(group.zones.map { $0.zone ?? rule.zone.name }).sorted()
    }

    /// The minute in which the run starts, or its occurrence's, in seconds since 1970.
    ///
    /// A run for nine o'clock that starts a little late still reaches people whose turn is at nine.
    static func start(of run: RunRecord, by schedule: Schedule?) -> Int {
        guard let schedule, let due = run.occurrence.scheduled, due <= run.started,
            run.started.timeIntervalSince(due) <= schedule.startDeadline / .seconds(1)
        else { return run.started.minute }
        return due.minute
    }
}

extension Turn {
    /// Orders by start, then by the rest of their windows.
    fileprivate var instants: [Int] {
        windows.flatMap { [$0.opens, $0.closes ?? .max] }
    }
}

/// Recipients whose turn begins at the same instant.
package struct PlannedWave: Hashable, Sendable {
    package let opens: Date
    /// By name; people without a known zone have the campaign's.
    package let zones: [String]
    package let recipients: Int
    /// Whether the run ends before their turn, so that they would be skipped.
    package let isTooLate: Bool
}

/// People have a time zone that this machine does not know.
package struct ZoneNotKnown: Error, Hashable, Sendable, CustomStringConvertible {
    package let zone: String
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
