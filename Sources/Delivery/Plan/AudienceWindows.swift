package import CampaignCore
package import FoundationEssentials

/// The times when people can be sent to, according to the campaign's rule and their time zones.
package struct AudienceWindows: Sendable {
    struct Group: Sendable {
        let windows: SendWindows
        fileprivate(set) var zones: [ZoneCount]

        var recipients: Int { zones.reduce(0) { $0 + $1.recipients } }
    }

    private let rule: SendTimeRule
    private let sorter: any AudienceSorter
    private let zones: [(count: ZoneCount, rules: TimeZoneRules)]

    /// The sorter must be settled.
    ///
    /// Without a time zone database, nobody may have a time zone.
    init(
        _ rule: SendTimeRule, of sorter: any AudienceSorter, in database: (any TimeZoneDatabase)?
    ) async throws {
        self.rule = rule
        self.sorter = sorter
        zones = try await sorter.zones().map { count in
            guard let zone = count.zone else { return (count, rule.zone) }
            do throws(TimeZoneError) {
                guard let database else { throw .unknown }
                return (count, try database.rules(of: zone))
            } catch {
                throw ZoneNotKnown(zone: zone, recipients: count.recipients, problem: error)
            }
        }
    }

    /// Whether planned times occur only once a day, so that those of earlier runs matter.
    var isDaily: Bool { rule.localTime != nil }

    /// Groups recipients by planned time; every recipient is in exactly one group.
    ///
    /// - Parameters:
    ///   - start: see ``start(of:by:)``.
    ///   - earlier: planned times of earlier runs, by zone.
    func groups(from start: Int, through end: Date, besides earlier: [String: [Int]]) -> [Group] {
        let end = max(start, Int(end.timeIntervalSince1970.rounded(.down)))
        var groups: [SendWindows: Group] = [:]
        for (count, rules) in zones {
            let windows = rule.windows(
                in: rules, from: start, through: end, besides: earlier[rules.name] ?? [])
            groups[windows, default: Group(windows: windows, zones: [])].zones.append(count)
        }
        return groups.values.sorted {
            $0.windows.instants.lexicographicallyPrecedes($1.windows.instants)
        }
    }

    func waves(of groups: [Group]) -> [RunWave] {
        var last = 0
        return groups.enumerated().map { index, group in
            let first = last + 1
            last += group.recipients
            return RunWave(
                number: index + 1, recipients: first...last, windows: group.windows,
                zones: names(of: group))
        }
    }

    func planned(_ groups: [Group], before deadline: Date) -> [PlannedWave] {
        groups.map { group in
            let opens = Date(timeIntervalSince1970: Double(group.windows.opens))
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

    /// The minute of the run's start, or of its scheduled start, in seconds since 1970.
    ///
    /// This way, a run that is scheduled for nine o'clock and starts a little late still reaches
    /// people who are planned for nine.
    static func start(of run: RunRecord, by schedule: Schedule?) -> Int {
        guard let schedule, let due = run.occurrence.scheduled, due <= run.started,
            run.started.timeIntervalSince(due) <= schedule.startDeadline / .seconds(1)
        else { return run.started.minute }
        return due.minute
    }
}

extension SendWindows {
    /// Orders groups by their start, then by their later windows.
    fileprivate var instants: [Int] {
        windows.flatMap { [$0.opens, $0.closes ?? .max] }
    }
}

/// Recipients who are sent to at one planned time.
package struct PlannedWave: Hashable, Sendable {
    package let opens: Date
    /// The time zones, sorted; people without a known zone have the campaign's zone.
    package let zones: [String]
    package let recipients: Int
    /// Whether the run's deadline comes first, so that the group would be skipped.
    package let isTooLate: Bool
}

/// An audience has a time zone that this machine does not know.
package struct ZoneNotKnown: Error, Hashable, Sendable, CustomStringConvertible {
    package let zone: String
    package let recipients: Int
    package let problem: TimeZoneError

    package var description: String {
        let people = Figures.count(recipients, "person has", "people have")
        let zone = VisibleText.escape(zone)
        return switch problem {
        case .unknown:
            "\(people) the time zone \(zone), which this machine does not know. Nothing was sent. "
                + "Correct the zone in the audience."
        case .noDatabase(let folder):
            "\(people) the time zone \(zone), but this machine has no time zone database in \(folder). "
                + "Nothing was sent. Install it (tzdata) and run again."
        case .unreadable(let path):
            "\(people) the time zone \(zone), but its file "
                + "\(VisibleText.path(path)) cannot be read. Nothing was sent. "
                + "Reinstall the time zone database (tzdata) and run again."
        }
    }
}
