import CampaignCore
import CampaignFormat
import Settings

/// A campaign that can be sent, as far as its file says; or of which a run can go on here, and none can be begun.
struct DueMember: Sendable {
    let source: CampaignSource
    let campaign: Campaign

    /// Whether files that it names are not here: whoever staged its run had them, and nobody needs them to go on.
    var lacksFiles: Bool { source.loaded.campaign == nil }

    /// Reads campaigns.
    ///
    /// - Parameters:
    ///   - hits: their files; of those that a search found, what is no campaign is passed over.
    ///   - settings: those of the campaigns.
    /// - Returns: those that can be sent, and what keeps others from it; of those that lack files, both.
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
                let faults = loaded.diagnostics.filter { $0.severity == .error }
                if !faults.isEmpty { obstacles.append(DueObstacle(subject, faults)) }
                if let campaign = source.campaign {
                    members.append(DueMember(source: source, campaign: campaign))
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
                    OperationFault.sameCampaign(campaign, files: paths), of: campaign))
        }
        return (members.filter { files[$0.campaign.name] == nil }, obstacles)
    }
}
