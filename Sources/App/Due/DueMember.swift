import CampaignCore
import CampaignFormat
import Delivery
import Storage

struct DueMember: Sendable {
    let source: CampaignSource
    let campaign: Campaign
    /// The error if this host lacks files of the campaign; then only a staged run can continue.
    let lack: DueObstacle?

    /// The reason why the campaign cannot be sent, if there is one.
    ///
    /// Files that are missing prevent sending unless a run can continue without them.
    func obstacle(in store: any Store) async throws -> DueObstacle? {
        guard let lack else { return nil }
        let runs = try await store.runs(.unfinished(of: campaign.name))
        return runs.contains { $0.continuesByItself && !$0.isRehearsal } ? nil : lack
    }

    /// Reads campaigns, including those that cannot be sent; skips files that are not campaigns.
    static func read(
        _ hits: [CampaignSearch.Hit], _ settings: EffectiveSettings
    ) async -> (members: [DueMember], obstacles: [DueObstacle]) {
        let invocation = settings.invocation
        var members: [DueMember] = []
        var obstacles: [DueObstacle] = []
        for hit in hits {
            let subject = Trouble.Subject.file(invocation.absolute(hit.path))
            do {
                let source = try await CampaignSource(
                    path: hit.path, settings: settings, searched: hit.folder)
                let loaded = source.loaded
                guard hit.isNamed || loaded.kind == .campaign else { continue }
                let findings = loaded.diagnostics.filter { $0.severity == .error }
                let obstacle = findings.isEmpty ? nil : DueObstacle(subject, findings)
                if let campaign = source.campaign {
                    members.append(DueMember(source: source, campaign: campaign, lack: obstacle))
                } else if let obstacle {
                    obstacles.append(obstacle)
                }
            } catch {
                obstacles.append(DueObstacle(subject, error))
            }
        }
        let files = Dictionary(grouping: members, by: \.campaign.name).filter { $1.count > 1 }
        for (campaign, twins) in files.sorted(by: { $0.key < $1.key }) {
            let paths = twins.map(\.source.loaded.path)
            obstacles.append(
                DueObstacle(
                    .file(invocation.absolute(paths[0])),
                    Refused(
                        """
                        Campaign \(campaign) is defined in several files: \
                        \(paths.map(VisibleText.path).joined(separator: ", ")). None of them is sent, because \
                        campaign names must be unique in a store. Give each campaign a different name.
                        """), of: campaign))
        }
        return (members.filter { files[$0.campaign.name] == nil }, obstacles)
    }
}
