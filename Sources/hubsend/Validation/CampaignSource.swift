import CampaignCore
import CampaignFormat
import Delivery
import FoundationEssentials
import Storage

/// A campaign file with what is needed to check it whole: its people sorted, its bodies measured.
struct CampaignSource: Sendable {
    let loaded: LoadedCampaign
    let settings: Settings

    /// Reads a campaign file; `-` is standard input.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - settings: those for it.
    ///   - searched: the folder in which a search found it; nil: it was named.
    /// - Throws: `InputFileError` when there is no file to read; `CancellationError` when the task is cancelled while
    ///   standard input is read.
    init(path: String, settings: Settings, searched: String? = nil) async throws {
        self.settings = settings
        loaded =
            path == "-"
            ? try await CampaignFile.read(
                standardInput: StandardInput.read(), scope: settings.scope,
                limits: settings.limits)
            : try CampaignFile.read(
                path, scope: settings.scope, limits: settings.limits, searched: searched)
    }

    /// What is wrong with file and audience, and the plan where nothing is.
    ///
    /// - Parameters:
    ///   - choice: whom of them it is for.
    ///   - observe: is told how far the audience is read.
    /// - Returns: the audience as planned, when there is no error; the findings in order.
    /// - Throws: `RehearsalFault`, or why an audience file or the scratch area could not be used.
    func check(
        for choice: PeopleChoice = .all,
        observe: @escaping @Sendable (AudienceProgress) -> Void = { _ in }
    ) async throws -> (planned: PlannedAudience?, findings: [Diagnostic]) {
        let findings = loaded.diagnostics + loaded.checkAudienceFiles()
        guard !findings.hasErrors, let campaign = loaded.campaign, let audience = loaded.audience
        else { return (nil, findings.sorted()) }
        let sorter = try SQLiteSorter(besideStoreAt: settings.store)
        let planned = try await CampaignPlanner(observe: observe).plan(
            campaign, audience: audience, sorter: sorter, for: choice, now: Date())
        let all =
            findings + planned.plan.faults.map(loaded.diagnostic)
            + loaded.diagnostics(for: planned.plan.valueConflicts)
        return (all.hasErrors ? nil : planned, all.sorted())
    }
}
