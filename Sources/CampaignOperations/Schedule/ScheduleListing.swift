import CampaignCore
package import CampaignFormat
import Delivery
package import Foundation
import Reports
package import Settings
import Storage
import Terminal

/// The schedules of campaigns, as `hubsend schedule` lists them.
package struct ScheduleListing: Sendable {
    /// How many occurrences of one campaign are listed.
    private static let most = 1_000

    private let flags: SettingFlags
    private let invocation: Invocation
    private let now: Date
    private let end: Date?
    private let program: HubCaller
    private(set) var schedules: [CampaignSchedule] = []
    /// The settings of the campaigns with a schedule.
    private var settings: [EffectiveSettings] = []
    /// The first file that was named and has a campaign without a schedule.
    private var unscheduled: String?
    /// The stores that were opened, by how they are named; nil: there is none.
    private var stores: [String: (any Store)?] = [:]
    /// Sentences about stores that cannot be read, so that what was sent early is not known.
    private var notes: [String] = []
    /// What keeps campaigns from being sent at all, in order.
    package private(set) var faults: [Diagnostic] = []
    /// Sentences about named files that cannot be read.
    package private(set) var failures: [String] = []

    /// - Parameters:
    ///   - flags: what flags say about config, store and reports.
    ///   - invocation: environment and current folder.
    ///   - now: the current time.
    ///   - end: up to when occurrences are listed; nil: only the next of each campaign.
    ///   - program: how a hub sees the program.
    package init(
        flags: SettingFlags, invocation: Invocation, at now: Date, until end: Date?,
        by program: HubCaller
    ) {
        self.flags = flags
        self.invocation = invocation
        self.now = now
        self.end = end
        self.program = program
    }

    /// Reads a campaign file; a file with faults does not keep others from being listed.
    ///
    /// - Parameter hit: the file; a file that a search found and that is not a campaign is passed over.
    /// - Throws: `SettingFault` for wrong flags and variables.
    package mutating func add(_ hit: CampaignSearch.Hit) async throws {
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
        } catch let found as ConfigFaults {
            faults += found.findings.filter { !faults.contains($0) }
            return
        }
        guard hit.isNamed || source.loaded.kind == .campaign else { return }
        faults += source.loaded.diagnostics.filter { $0.severity == .error }
        guard let campaign = source.loaded.campaign else { return }
        guard let schedule = campaign.schedule else {
            if hit.isNamed { unscheduled = unscheduled ?? hit.path }
            return
        }
        self.settings.append(settings)
        let (next, isFirst) = await history(of: campaign, settings)
        let (coming, isCut) = next?.stays == false ? ([], false) : coming(of: schedule)
        schedules.append(
            CampaignSchedule(
                campaign: campaign.name, path: hit.path, schedule: schedule, coming: coming,
                isCut: isCut, sentEarly: next?.sentEarly, isFirst: isFirst))
    }

    /// What the store says of a campaign's next start, and whether the campaign was never sent.
    private mutating func history(
        of campaign: Campaign, _ settings: EffectiveSettings
    ) async -> (next: NextStart?, isFirst: Bool) {
        do {
            guard let store = try await store(of: settings) else { return (nil, true) }
            guard let hub = try settings.hub?.identity(for: program) else { return (nil, false) }
            var search = RunSearch(of: campaign.name, at: hub)
            search.limit = 1
            return (
                try await NextStart(of: campaign, at: hub, in: store, now: now),
                try await store.runs(search).isEmpty
            )
        } catch {
            let note = "what was sent early is not known. \(error)"
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

    private func coming(of schedule: Schedule) -> (dates: [Date], isCut: Bool) {
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

    /// Writes the list to stdout, and what is wrong to stderr.
    ///
    /// - Throws: `TerminalFault` when stdout is closed or its disk is full.
    package func print(_ format: ListFormat) throws {
        switch format {
        case .text:
            let style = invocation.outputStyle
            try Console.output(text(style: style, width: Console.outputColumns), style: style)
        case .json:
            try Console.output(ScheduleJSON(schedules).line())
        }
        try complain()
    }

    /// The list for people; empty when every campaign that could be listed has faults.
    func text(style: TextStyle = .plain, width: Int? = nil) -> String {
        isAllAtFault ? "" : ScheduleText(schedules, at: now, style: style, width: width).text()
    }

    private var isAllAtFault: Bool {
        schedules.isEmpty && !(faults.isEmpty && failures.isEmpty)
    }

    /// What a timer calls for these campaigns, ready to install, for stdout.
    ///
    /// - Parameters:
    ///   - timer: which timer it is for.
    ///   - search: where the campaigns were looked for.
    ///   - program: this program, absolute.
    /// - Returns: lines; nil when every campaign that was found has faults.
    /// - Throws: ``DueCallFault``; `SettingFault` for wrong variables; ``OperationFault`` when a store's owner cannot be found.
    package func lines(
        for timer: TimerKind, calling program: String, searched search: CampaignSearch
    ) throws -> String? {
        if let unscheduled { throw DueCallFault.noSchedule(path: unscheduled) }
        guard !isAllAtFault else { return nil }
        guard !schedules.isEmpty else {
            throw DueCallFault.nothingScheduled(searched: search.shownPaths)
        }
        let call = try DueCall(
            program, paths: search.paths, campaigns: schedules, settings: settings, flags: flags,
            invocation: invocation)
        return switch timer {
        case .crontab: try CrontabText(call).text()
        case .systemd: SystemdUnits(call).text
        }
    }

    /// Writes these lines to stdout, and what is wrong to stderr.
    ///
    /// - Throws: as ``lines(for:calling:searched:)``; `TerminalFault` when stdout is closed or its disk is full.
    package func print(
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
                "hubsend: of campaign \(schedule.campaign) only the next \(Figures.count(Self.most)) occurrences are listed."
            )
        }
        for note in notes { Console.complain("hubsend: \(note)") }
        if !faults.isEmpty {
            try FindingsOutput(invocation: invocation, format: .text).complain(faults.sorted())
        }
        for failure in failures { Console.complain("hubsend: \(failure)") }
    }
}

/// What starts campaigns that are due.
package enum TimerKind: String, CaseIterable, Sendable {
    /// A line of a crontab.
    case crontab
    /// Two units of systemd.
    case systemd
}
