import CampaignCore
import CampaignFormat
import Delivery
import Settings
import Storage

/// A campaign that can be sent, as far as its file says.
struct DueMember: Sendable {
    /// The most of its runs that are looked through.
    private static let most = 1_000

    let source: CampaignSource
    let campaign: Campaign
    /// Files that the campaign names and this host lacks, so that only a staged run goes on; usually nil.
    let lack: DueObstacle?

    /// What keeps the campaign from being sent: the files that it lacks, unless a run goes on by itself and needs none of them.
    ///
    /// - Parameter store: the store with its runs.
    /// - Throws: what the store throws.
    func obstacle(in store: any Store) async throws -> DueObstacle? {
        guard let lack else { return nil }
        let runs = try await store.runs(campaign: campaign.name, limit: Self.most)
        return runs.contains { $0.goesOnByItself && !$0.isRehearsal } ? nil : lack
    }

    /// Reads campaigns.
    ///
    /// - Parameters:
    ///   - hits: their files; files that a search found and that are not campaigns are passed over.
    ///   - settings: the settings of the campaigns.
    /// - Returns: the campaigns that can be sent, and what keeps the others from being sent.
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
                let obstacle = faults.isEmpty ? nil : DueObstacle(subject, faults)
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
                    OperationFault.sameCampaign(campaign, files: paths), of: campaign))
        }
        return (members.filter { files[$0.campaign.name] == nil }, obstacles)
    }
}
