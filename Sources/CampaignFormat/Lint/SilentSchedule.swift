import CampaignCore
import Files

/// The times and recipients of a schedule's silent pushes to iOS, as known from the campaign file.
package struct SilentSchedule: Sendable {
    package static let rule = Rule.silentBudget.id
    /// Apple allows two or three ("Pushing background updates to your App").
    static let mostInAnHour = 3
    private static let minutesOfWeek = 7 * 24 * 60
    /// The first Sunday of 1970, in minutes since the start of that year.
    private static let firstSunday = 3 * 24 * 60
    private static let window = 60
    private static let mostShown = 5
    /// The maximum number of groups that are checked, largest first; each name may form a separate
    /// group.
    static let mostGroups = 100

    /// Times in minutes since the first Sunday of 1970, in the schedule's zone.
    private enum Times {
        /// The same minutes every week.
        case weekly(Set<Int>)
        case once(Int)

        func come(in minutes: Range<Int>) -> Bool {
            switch self {
            case .weekly(let own): minutes.contains { own.contains(SilentSchedule.remainder($0)) }
            case .once(let moment): minutes.contains(moment)
            }
        }
    }

    private let place: (file: String, range: TextRange)
    private let excerpt: Diagnostic.Excerpt
    private let times: Times
    /// The lists and people that the campaign reaches, each combined with the schedule's zone.
    private let audiences: Set<String>
    /// The maximum number of pushes within an hour.
    private let pushes: Int

    /// nil if the times depend on days or months, if this schedule alone sends too often, or if
    /// files exclude people.
    init?(
        _ root: YAMLNode, _ schedule: Schedule, audience: AudienceSection, in files: SourceFiles
    ) {
        guard let key = root.entry(at: "schedule")?.key.range else { return nil }
        let zone = schedule.zone.name
        switch schedule.times {
        case .cron(let cron):
            guard cron.minutesOfHour <= Self.mostInAnHour, let minutes = cron.minutesOfWeek
            else { return nil }
            times = .weekly(minutes)
        case .at(let moment):
            times = .once(moment.seconds.dividedDown(by: 60).quotient - Self.firstSunday)
        }
        let exclusions = root.entry(at: "audience")?.value.entries("exclude") ?? []
        guard exclusions.allSatisfy({ $0.value.entry(at: "files") == nil }) else { return nil }
        place = files.place(of: key)
        excerpt = files.excerpt(around: key.start)
        let excluded = Set(audience.excluded.usernames.map(\.value))
        let names = audience.named.usernames.map(\.value).filter { !excluded.contains($0) }
        audiences = Set(
            audience.named.files.map { "\(zone)\nfile \(Path.cleaned($0.shownPath))" }
                + names.map { "\(zone)\nname \($0.text)" })
        pushes = Self.fullestHour(of: [times])?.pushes ?? 0
    }

    // MARK: Several campaigns together

    /// Hints for people who get too many silent pushes an hour from several campaigns together.
    ///
    /// Each hint is reported at a group's last campaign, with at most one hint per campaign. If
    /// there are too many groups, an additional hint says so.
    package static func remarks(on schedules: [SilentSchedule]) -> [Diagnostic] {
        var remarks: [String: Diagnostic] = [:]
        var reported: [Set<Int>] = []
        var counted = 0
        for group in groups(of: schedules)
        where !reported.contains(where: { $0.isSuperset(of: group) }) {
            guard counted < mostGroups else {
                return remarks.values.sorted() + [rest(in: group.map { schedules[$0] })]
            }
            counted += 1
            let hour = fullestHour(of: group.map { schedules[$0].times })
            guard let hour, hour.pushes > mostInAnHour else { continue }
            let members = group.filter { schedules[$0].times.come(in: hour.minutes) }
            reported.append(Set(members))
            let remark = remark(on: members.map { schedules[$0] }, pushes: hour.pushes)
            if remarks[remark.file] == nil { remarks[remark.file] = remark }
        }
        return remarks.values.sorted()
    }

    /// Campaigns that share people and may send too many pushes, the largest groups first.
    private static func groups(of schedules: [SilentSchedule]) -> [[Int]] {
        var users: [String: [Int]] = [:]
        for (number, schedule) in schedules.enumerated() {
            for audience in schedule.audiences { users[audience, default: []].append(number) }
        }
        let groups = Set(users.values).filter { group in
            group.count > 1
                && group.reduce(0) { $0 + schedules[$1].pushes } > mostInAnHour
        }
        return groups.sorted { one, other in
            one.count != other.count
                ? one.count > other.count : one.lexicographicallyPrecedes(other)
        }
    }

    /// The first hour with the most pushes; nil if there are no pushes.
    private static func fullestHour(of group: [Times]) -> (minutes: Range<Int>, pushes: Int)? {
        var week = [Int](repeating: 0, count: minutesOfWeek)
        var moments: [Int] = []
        for times in group {
            switch times {
            case .weekly(let minutes): for minute in minutes { week[minute] += 1 }
            case .once(let moment): moments.append(moment)
            }
        }
        moments.sort()
        // For each minute, the number of pushes since the start of the week; an hour may extend
        // into the next week.
        var before = [0]
        for minute in 0..<minutesOfWeek + window {
            before.append(before[minute] + week[minute % minutesOfWeek])
        }
        func pushes(from start: Int) -> Int {
            let minute = remainder(start)
            return before[minute + window] - before[minute]
                + moments.sortedCount(below: start + window) - moments.sortedCount(below: start)
        }
        // Only hours that begin with a push need to be checked: a weekly push, or a push in the
        // hour before a single start.
        let starts =
            week.indices.filter { week[$0] > 0 }
            + moments.flatMap { moment in
                (moment - window + 1...moment).filter { $0 == moment || week[remainder($0)] > 0 }
            }
        return starts.map { (minutes: $0..<$0 + window, pushes: pushes(from: $0)) }
            .max { ($0.pushes, $1.minutes.lowerBound) < ($1.pushes, $0.minutes.lowerBound) }
    }

    private static func remainder(_ minute: Int) -> Int {
        (minute % minutesOfWeek + minutesOfWeek) % minutesOfWeek
    }

    private static func rest(in group: [SilentSchedule]) -> Diagnostic {
        let last = group.max { $0.place.file < $1.place.file } ?? group[0]
        return Diagnostic(
            .silentBudget, .hint, in: last.place.file, at: last.place.range,
            "Only the \(mostGroups) largest groups of campaigns that share recipients were checked for silent pushes within the same hour.",
            help: "List the people in files that the campaigns share, or check fewer campaigns.",
            excerpt: last.excerpt)
    }

    private static func remark(on crowd: [SilentSchedule], pushes: Int) -> Diagnostic {
        let sorted = crowd.sorted { $0.place.file < $1.place.file }
        let (last, others) = (sorted[sorted.count - 1], sorted.dropLast())
        let campaigns = Figures.count(others.count, "other campaign", "other campaigns")
        return Diagnostic(
            .silentBudget, .hint, in: last.place.file, at: last.place.range,
            "Together with \(campaigns), this campaign sends \(pushes) silent pushes to the same people within an hour; iOS delivers only two or three an hour per app.",
            help:
                "Spread the schedules, set a frequency_cap, or give the payload a placeholder, which makes the push visible.",
            related: others.prefix(mostShown).map {
                Diagnostic.Related(
                    message: "This campaign sends within the same hour.", file: $0.place.file,
                    range: $0.place.range)
            }, excerpt: last.excerpt)
    }
}
