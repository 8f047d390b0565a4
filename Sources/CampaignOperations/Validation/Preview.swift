package import CampaignCore
import CampaignFormat
package import Delivery
import Foundation
import NotificationHubs
package import Settings
import Storage
import Terminal

/// Shows what a campaign would do.
package struct Preview {
    private let settings: EffectiveSettings
    private let format: ListFormat
    private let mode: RunRequest.Mode
    private let program: HubCaller

    /// - Parameters:
    ///   - settings: those of the command.
    ///   - format: how it is written.
    ///   - mode: which sending of the campaign is asked about.
    ///   - program: who would send.
    package init(
        settings: EffectiveSettings, format: ListFormat, mode: RunRequest.Mode,
        by program: HubCaller
    ) {
        self.settings = settings
        self.format = format
        self.mode = mode
        self.program = program
    }

    /// Prints the preview of one campaign.
    ///
    /// - Parameters:
    ///   - path: the campaign file.
    ///   - rehearsal: whom it would go to; nil: it is none.
    ///   - rest: which outcomes of the last finished run it is for; nil: any.
    /// - Throws: ``FindingsShown`` after the findings were printed; what cannot be read.
    package func show(
        _ path: String, rehearsal: Rehearsal?, rest: Set<Outcome>? = nil
    ) async throws {
        let source = try await CampaignSource(path: path, settings: settings)
        var choice = rehearsal.map { PeopleChoice.rehearsal($0) } ?? .all
        if let rest, let name = source.loaded.campaign?.name {
            choice = .rest(try await self.rest(of: name, with: rest))
        }
        let (planned, found) = try await source.check(
            for: choice, with: .keptBy(settings, program))
        let findings = (settings.configFindings + found).sorted()
        let output = FindingsOutput(
            invocation: settings.invocation, format: FindingsFormat(format))
        guard let planned, let campaign = source.loaded.campaign else {
            try output.print(findings)
            Console.complain(
                "\(VisibleText.path(path)): \(FindingsOutput.tally(findings)).")
            throw FindingsShown()
        }
        let document = PreviewDocument(
            campaign, planned.plan, now: try await outlook(for: source, planned),
            describer: try settings.hub?.describer(for: program)
                ?? HubChoice.describer(named: settings.hubName, for: program))
        switch format {
        case .json:
            try Console.output(document.json())
            if !findings.isEmpty {
                let text = FindingsOutput(invocation: settings.invocation, format: .text)
                Console.notice(
                    try text.text(findings), style: settings.invocation.outputStyle)
            }
        case .text:
            try output.print(findings)
            let style = settings.invocation.outputStyle
            try Console.output(PreviewText(document, style: style).text(), style: style)
        }
    }

    /// What a run would do now, as the store stands; nothing is written to it.
    private func outlook(
        for source: CampaignSource, _ planned: PlannedAudience
    ) async throws -> PreviewDocument.Outlook {
        guard let campaign = source.loaded.campaign else { return .unknown(because: .noHub) }
        let opened = Result { () throws(StoreError) in
            try SQLiteStore.openForReading(at: settings.store, isBroughtUpToDate: false)
        }
        let store: SQLiteStore
        switch opened {
        case .success(let found): store = found
        case .failure(.notFound): return PreviewDocument.Outlook(planned.plan)
        case .failure(.olderVersion): return .unknown(because: .olderStore)
        case .failure(let error): throw error
        }
        guard let hub = try settings.hub?.identity(for: program) else {
            // Only what is known of the campaign at some hub can be known wrongly.
            let isNew = try await store.runs(campaign: campaign.name, limit: 1).isEmpty
            return isNew && campaign.delivery.frequencyCap == nil
                ? PreviewDocument.Outlook(planned.plan) : .unknown(because: .noHub)
        }
        let request = RunRequest(
            campaign: campaign, hub: hub, mode: mode, campaignPath: source.loaded.path)
        let forecast = try await RunForecast(of: request, to: planned, in: store, at: Date())
        return PreviewDocument.Outlook(forecast, inStoreAt: store.path)
    }

    /// Whom the last finished run left; the store is only read, and not brought up to date.
    private func rest(of campaign: String, with outcomes: Set<Outcome>) async throws -> RestOfRun {
        guard let hub = try settings.hub?.identity(for: program) else {
            throw OperationFault.noHubForRest
        }
        let isThere = FileManager.default.fileExists(atPath: settings.store)
        return try await RestOfRun.required(
            of: campaign, with: outcomes, at: hub,
            in: isThere
                ? try SQLiteStore.openForReading(at: settings.store, isBroughtUpToDate: false) : nil
        )
    }
}
