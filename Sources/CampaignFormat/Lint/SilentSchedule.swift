import CampaignCore
import Files
import YAMLSyntax

/// When a campaign's schedule sends silent pushes to iOS devices, and to whom, as far as that is sure from the file alone.
package struct SilentSchedule: Sendable {
    private static let minutesOfWeek = 7 * 24 * 60
    /// The first Sunday of 1970, in minutes.
    private static let firstSunday = 3 * 24 * 60
    private static let window = 60
    /// How many of the other campaigns are shown.
    private static let mostShown = 5

    /// In minutes from a Sunday in 1970 on, in the schedule's zone.
    private enum Times {
        /// Of every week.
        case weekly(Set<Int>)
        case once(Int)
    }

    private let place: (file: String, range: TextRange)
    private let excerpt: Diagnostic.Excerpt
    private let times: Times
    /// The lists and the people that it names, each with the zone of the schedule.
    private let audiences: Set<String>

    /// Reads it.
    ///
    /// - Parameters:
    ///   - root: the campaign file's value.
    ///   - schedule: its schedule.
    ///   - audience: its people.
    ///   - files: the file.
    /// - Returns: nil for a schedule that depends on days and months, or that sends too often by itself.
    init?(
        _ root: YAMLNode, _ schedule: Schedule, audience: AudienceSection, in files: SourceFiles
    ) {
        guard let key = root.entry(at: "schedule")?.key.range else { return nil }
        let zone = schedule.zone.name
        switch schedule.times {
        case .cron(let cron):
            guard cron.minutesOfHour <= PushBudgetCheck.most, let minutes = cron.minutesOfWeek
            else { return nil }
            times = .weekly(minutes)
        case .at(let moment):
            times = .once(moment.seconds.dividedDown(by: 60).quotient - Self.firstSunday)
        }
        place = files.place(of: key)
        excerpt = files.excerpt(around: key.start)
        audiences = Set(
            audience.named.files.map { "\(zone)\nfile \(Path.cleaned($0.shownPath))" }
                + audience.named.usernames.map { "\(zone)\nname \($0.value.text)" })
    }

    // MARK: Together

    /// Looks for people who get more silent pushes within an hour than the system hands on, from several campaigns together.
    ///
    /// - Parameter schedules: those of all campaigns of a search, in its order.
    /// - Returns: a hint for each group of campaigns, at the last of them.
    package static func remarks(on schedules: [SilentSchedule]) -> [Diagnostic] {
        var users: [String: [Int]] = [:]
        for (number, schedule) in schedules.enumerated() {
            for audience in schedule.audiences { users[audience, default: []].append(number) }
        }
        let groups = Set(users.values.filter { $0.count > 1 })
        let crowds = groups.compactMap { group in
            crowd(among: group.map { (number: $0, times: schedules[$0].times) })
        }
        return Set(crowds).map { remark(on: $0.numbers.map { schedules[$0] }, pushes: $0.pushes) }
            .sorted()
    }

    /// Campaigns that come within one hour.
    private struct Crowd: Hashable {
        let numbers: [Int]
        let pushes: Int
    }

    /// Those in the fullest hour; nil where the system hands all of them on.
    private static func crowd(among group: [(number: Int, times: Times)]) -> Crowd? {
        var week = [Int](repeating: 0, count: minutesOfWeek)
        var moments: [Int] = []
        for member in group {
            switch member.times {
            case .weekly(let minutes): for minute in minutes { week[minute] += 1 }
            case .once(let moment): moments.append(moment)
            }
        }
        func pushes(from start: Int) -> Int {
            (start..<start + window).reduce(0) { $0 + week[remainder($1)] }
                + moments.count { (start..<start + window).contains($0) }
        }
        // An hour begins with a push; around a moment, with any that may come with it.
        let starts =
            week.indices.filter { week[$0] > 0 }
            + moments.flatMap { ($0 - window + 1)...$0 }
        let best = starts.map { (start: $0, pushes: pushes(from: $0)) }
            .max { ($0.pushes, $1.start) < ($1.pushes, $0.start) }
        guard let best, best.pushes > PushBudgetCheck.most else { return nil }
        let hour = best.start..<best.start + window
        let members = group.filter { member in
            switch member.times {
            case .weekly(let minutes): hour.contains { minutes.contains(remainder($0)) }
            case .once(let moment): hour.contains(moment)
            }
        }
        return Crowd(numbers: members.map(\.number), pushes: best.pushes)
    }

    private static func remainder(_ minute: Int) -> Int {
        (minute % minutesOfWeek + minutesOfWeek) % minutesOfWeek
    }

    private static func remark(on crowd: [SilentSchedule], pushes: Int) -> Diagnostic {
        let sorted = crowd.sorted { $0.place.file < $1.place.file }
        let (last, others) = (sorted[sorted.count - 1], sorted.dropLast())
        let campaigns = Figures.count(others.count, "other campaign", "other campaigns")
        return Diagnostic(
            file: last.place.file, range: last.place.range, severity: .hint,
            rule: DiagnosticRule.silentBudget.rawValue,
            message:
                "With \(campaigns) this makes \(pushes) silent pushes within an hour to the same people; iOS hands an app two or three.",
            help:
                "Spread the schedules, give the campaigns a frequency_cap, or the payload a placeholder, which makes the push visible.",
            related: others.prefix(mostShown).map {
                Diagnostic.Related(
                    message: "This comes within the same hour.", file: $0.place.file,
                    range: $0.place.range)
            }, excerpt: last.excerpt)
    }
}
