import CampaignCore
import CampaignFormat
import Delivery
import Foundation
import TestSupport

@testable import App

/// A folder with a campaign, an audience and a payload file, to make and check plans.
final class PlanFixture: Sendable {
    private static let version = "1.0.0"
    static let hub = HubIdentity(host: "local", name: "hub")

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Self.config, to: "hubsend.yaml", mode: 0o600)
        // All lists name the same person, so another list does not change the audience.
        for list in ["out.txt", "out2.txt", "all-out.txt", "all-out2.txt"] {
            try folder.write("zoe\n", to: list)
        }
        try folder.write("username,name\nalice,Alice\nbob,Bob\ncarol,Carol\n", to: "people.csv")
        try folder.write("There is news.\nRead it.\n", to: "news.txt")
        try folder.write(Self.campaign, to: "spring.yaml")
    }

    private static let config = """
        limits: { url_schemes: [shop] }
        defaults:
          audience: { exclude: { files: [all-out.txt] } }
          delivery: { concurrency: 8 }

        """

    /// The text has a variable, so that values are also compared.
    private static let campaign = """
        campaign: spring
        kind: rich
        platforms: [apns, fcm]
        audience:
          files: [people.csv]
          exclude: { files: [out.txt] }
        payload:
          message: "Hi {{name}}!"
          type: text
          file: news.txt
        delivery: { rate: 500/s }

        """

    func replace(_ text: String, with other: String, in file: String) throws {
        let before = try String(contentsOfFile: folder.file(file), encoding: .utf8)
        try folder.write(
            before.replacing(text, with: other), to: file,
            mode: file == "hubsend.yaml" ? 0o600 : 0o644)
    }

    private func settings() throws -> EffectiveSettings {
        try EffectiveSettings.load(
            SettingFlags(), campaigns: [folder.file("spring.yaml")],
            invocation: Invocation())
    }

    /// Saves a plan; returns its ID.
    @discardableResult
    func save(
        _ mode: RunRequest.Mode = .occurrence(.once), at hub: HubIdentity = hub,
        to file: String = "a.plan", longestAge: Duration = SavedPlan.standardAge
    ) async throws -> PlanID {
        let (maker, planned) = try await prepared(settings())
        return try PlanSaving(
            path: folder.file(file), longestAge: longestAge, version: Self.version
        ).save(maker, planned, as: mode, at: hub)
    }

    func plan(version: String = version) throws -> OpenedPlan {
        try OpenedPlan(folder.file("a.plan"), version: version)
    }

    func sentence(now outlook: PreviewOutlook, sends: Bool) async throws -> String {
        let settings = try settings()
        return PlanSaving(path: folder.file("a.plan"), version: Self.version).sentence(
            try await save(), of: folder.file("spring.yaml"), as: .occurrence(.once),
            try await prepared(settings).planned, now: outlook, sends: sends, settings: settings)
    }

    private func prepared(
        _ settings: EffectiveSettings
    ) async throws -> (maker: PlanMaker, planned: PlannedAudience) {
        let source = try await CampaignSource(
            path: folder.file("spring.yaml"), settings: settings)
        guard let campaign = source.loaded.campaign else {
            throw NotGood(source.loaded.diagnostics)
        }
        let maker = PlanMaker(
            campaign, of: source.loaded, settings: settings, salt: PlanDigester.salt())
        let checked = try await CampaignCheck(
            source: source, runs: .unread, visit: maker.tally.add
        ).checked()
        guard let planned = checked.audience else { throw NotGood(checked.findings) }
        return (maker, planned)
    }

    /// Checks the saved plan against the folder; returns what differs.
    func check(
        _ mode: RunRequest.Mode = .occurrence(.once), at hub: HubIdentity = hub,
        version: String = version, later: TimeInterval = 0, continuing begun: RunID? = nil
    ) async throws -> Refused? {
        let settings = try settings()
        let source = try await CampaignSource(
            path: folder.file("spring.yaml"), settings: settings)
        guard let campaign = begun == nil ? source.loaded.campaign : source.campaign else {
            throw NotGood(source.loaded.diagnostics)
        }
        let plan = try plan(version: version)
        let maker = plan.maker(of: campaign, in: source.loaded, settings: settings)
        var audience: PlannedAudience?
        if begun == nil {
            let checked = try await CampaignCheck(
                source: source, runs: .unread, visit: maker.tally.add
            ).checked()
            guard let planned = checked.audience else { throw NotGood(checked.findings) }
            audience = planned
        }
        let request = RunRequest(
            campaign: campaign, hub: hub, mode: mode, campaignPath: folder.file("spring.yaml"),
            plan: plan.id)
        do throws(Refused) {
            try plan.requireCampaign(campaign.name)
            try plan.check(
                maker, audience, continuing: begun, for: request, at: Date() + later,
                settings: settings)
            return nil
        } catch {
            return error
        }
    }

    struct NotGood: Error {
        let findings: [Diagnostic]

        init(_ findings: [Diagnostic]) {
            self.findings = findings
        }
    }
}
