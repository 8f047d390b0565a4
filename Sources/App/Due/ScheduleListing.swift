import CampaignCore
import CampaignFormat
import Delivery
import Foundation
import Storage

struct ScheduleListing: Sendable {
    /// The maximum number of occurrences that are listed for one campaign.
    private static let most = 1_000

    private let flags: SettingFlags
    private let invocation: Invocation
    private let now: Date
    private let end: Date?
    private(set) var schedules: [CampaignSchedule] = []
    private var settings: [EffectiveSettings] = []
    /// The first named file whose campaign has no schedule.
    private var unscheduled: String?
    /// The opened stores by name; nil if a store does not exist.
    private var stores: [String: (any Store)?] = [:]
    /// Sentences about stores that cannot be read, so that it is not known what was sent early.
    private var notes: [String] = []
    /// Findings that prevent campaigns from being sent, in order.
    private(set) var findings: [Diagnostic] = []
    /// Sentences about named files that cannot be read.
    private(set) var failures: [String] = []

    /// - Parameter end: the end of the list; nil lists only the next occurrence of each campaign.
    init(
        flags: SettingFlags, invocation: Invocation, at now: Date, until end: Date?
    ) {
        self.flags = flags
        self.invocation = invocation
        self.now = now
        self.end = end
    }

    /// Adds a campaign file, even with findings; skips files that are not campaigns.
    mutating func add(_ hit: CampaignSearch.Hit) async throws {
        let settings: EffectiveSettings
        let source: CampaignSource
        do {
            settings = try EffectiveSettings.load(
                flags, campaigns: [hit.path], invocation: invocation)
            source = try await CampaignSource(
                path: hit.path, settings: settings, searched: hit.folder)
        } catch let error as InputFileError {
            failures.append("\(error)")
            return
        } catch let found as ConfigErrors {
            findings += found.findings.filter { !findings.contains($0) }
            return
        }
        guard hit.isNamed || source.loaded.kind == .campaign else { return }
        findings += source.loaded.diagnostics.filter { $0.severity == .error }
        guard let campaign = source.loaded.campaign else { return }
        guard let schedule = campaign.schedule else {
            if hit.isNamed { unscheduled = unscheduled ?? hit.path }
            return
        }
        self.settings.append(settings)
        let (next, isFirst) = await history(of: campaign, settings)
        let (upcoming, isCut) = next?.stays == false ? ([], false) : upcoming(of: schedule)
        schedules.append(
            CampaignSchedule(
                campaign: campaign.name, path: hit.path, schedule: schedule, upcoming: upcoming,
                isCut: isCut, sentEarly: next?.sentEarly, isFirst: isFirst))
    }

    /// What the store knows about a campaign's next start, and whether the campaign was never sent.
    private mutating func history(
        of campaign: Campaign, _ settings: EffectiveSettings
    ) async -> (next: NextStart?, isFirst: Bool) {
        do {
            guard let store = try await store(of: settings) else { return (nil, true) }
            guard let hub = try settings.hub?.identity() else { return (nil, false) }
            var search = RunSearch(of: campaign.name, at: hub)
            search.limit = 1
            return (
                try await NextStart(of: campaign, at: hub, in: store, now: now),
                try await store.runs(search).isEmpty
            )
        } catch {
            let note = "It is unknown which campaigns were sent early. \(error)"
            if !notes.contains(note) { notes.append(note) }
            return (nil, false)
        }
    }

    private mutating func store(of settings: EffectiveSettings) async throws -> (any Store)? {
        let name = "\(settings.store)"
        if let known = stores[name] { return known }
        let store = try await settings.store.openAsItIs()
        stores.updateValue(store, forKey: name)
        return store
    }

    private func upcoming(of schedule: Schedule) -> (dates: [Date], isCut: Bool) {
        guard let end else { return ([schedule.next(after: now)].compactMap(\.self), false) }
        var dates: [Date] = []
        var last = now
        while let next = schedule.next(after: last), next <= end {
            guard dates.count < Self.most else { return (dates, true) }
            dates.append(next)
            last = next
        }
        return (dates, false)
    }

    /// Writes the list to stdout, and findings to stderr.
    func print(_ format: ListFormat) throws {
        switch format {
        case .text:
            if let document { try invocation.show(document) }
        case .json:
            try Console.output(ScheduleJSON.list(schedules).line())
        }
        try complain()
    }

    /// The list for people; nil if every campaign has findings.
    var document: Document? { isAllInvalid ? nil : Document(schedules: schedules, at: now) }

    private var isAllInvalid: Bool { schedules.isEmpty && !(findings.isEmpty && failures.isEmpty) }

    /// The crontab lines or units for these campaigns; nil if all campaigns have findings.
    func lines(
        for timer: TimerKind, calling program: String, searched search: CampaignSearch
    ) throws -> String? {
        if let unscheduled {
            throw Refused(
                """
                \(VisibleText.path(unscheduled)) has no `schedule`, so a timer would never start it. Add a schedule (see \
                hubsend-campaign(5)), or leave the file out.
                """)
        }
        guard !isAllInvalid else { return nil }
        guard !schedules.isEmpty else {
            throw Refused(
                """
                No campaign in \(search.shownPaths) has a `schedule`, so a timer would never start anything. See \
                hubsend-campaign(5) for how to write a schedule.
                """)
        }
        let call = try DueCall(
            program, paths: search.paths, campaigns: schedules, settings: settings, flags: flags,
            invocation: invocation)
        return switch timer {
        case .crontab: try CrontabText(call: call).text()
        case .systemd: SystemdUnits(call: call).text
        }
    }

    /// Writes the crontab lines or units to stdout, and findings to stderr.
    func print(
        for timer: TimerKind, calling program: String, searched search: CampaignSearch
    ) throws {
        if let lines = try lines(for: timer, calling: program, searched: search) {
            try Console.output(lines)
        }
        try complain()
    }

    private func complain() throws {
        for schedule in schedules where schedule.isCut {
            Console.complain(
                "hubsend: Only the next \(Figures.count(Self.most)) occurrences of campaign \(schedule.campaign) are listed."
            )
        }
        for note in notes { Console.complain("hubsend: \(note)") }
        if !findings.isEmpty {
            try FindingsOutput(invocation: invocation, format: .text).complain(findings.sorted())
        }
        for failure in failures { Console.complain("hubsend: \(failure)") }
    }
}

enum TimerKind: String, CaseIterable, Sendable {
    case crontab
    /// A service and a timer.
    case systemd
}
