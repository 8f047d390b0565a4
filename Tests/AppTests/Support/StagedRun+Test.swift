import CampaignCore
import Foundation
import SQLiteDriver
import Storage

extension RunRecord {
    /// A run of campaign `spring` on apns, at a local hub.
    static func sample(
        _ suffix: String = "abcdef", campaign: String = "spring", as occurrence: Occurrence = .once,
        _ state: RunState = .staging, kind: CampaignKind = .rich,
        started: Date = Date(timeIntervalSince1970: 1_796_112_000)
    ) -> RunRecord {
        RunRecord(
            id: RunID(checked: "20261201T080000Z-\(suffix)"), campaign: campaign,
            hub: HubIdentity(host: "local", name: "hub"), occurrence: occurrence,
            isRehearsal: false, state: state, kind: kind, platforms: [.apns],
            isMessagePrivate: true, campaignPath: "/c/spring.yaml", delivery: DeliveryPolicy(),
            fingerprints: [:], started: started, expires: started + 604_800)
    }
}

extension SQLiteStore {
    /// Stages a run with one payload for everybody, and claims its pushes.
    func stage(_ people: [String], of run: RunRecord) async throws {
        var generator = SystemRandomNumberGenerator()
        try await begin(run)
        try await store(
            NewNotification(
                id: .random(using: &generator), type: nil, texts: Texts(message: "Hi"),
                content: .text("All about it.", mediaType: "text/plain")), of: run.id)
        try await append(
            people.map { StagedRecipient(username: Username(checked: $0)) }, to: run.id)
        try await finishStaging(
            run.id, counts: AudienceCounts(named: people.count, final: people.count))
        _ = try await claimNext(
            run.id, platform: .apns, limit: people.count, cap: nil, at: run.started)
    }
}
