import CampaignCore
import Foundation
import SQLiteDriver
import Storage
import TestSupport
import Testing

@Suite(.bounded) struct StagedRunTests {
    private static let id = RunID(checked: "20261201T080000Z-abcdef")

    private static func workspace() async throws -> Workspace {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let store = try SQLiteStore.open(at: workspace.file(".hubsend/store.sqlite"))
        let run = RunRecord(
            id: id, campaign: "notice", hub: HubIdentity(host: "local", name: "hubsend"),
            occurrence: .once, isRehearsal: false, state: .staging, kind: .rich,
            platforms: [.apns], isMessagePrivate: false,
            campaignPath: workspace.file("notice.yaml"), delivery: DeliveryPolicy(),
            fingerprints: [:], started: Date(), expires: Date() + 3_600)
        try await store.begin(run)
        var generator = SystemRandomNumberGenerator()
        try await store.store(
            NewNotification(
                id: .random(using: &generator), type: "text", texts: Texts(message: "Hi"),
                content: .text("Hi", mediaType: "text/plain")), of: id)
        try await store.append(
            ["alice", "bob"].map {
                StagedRecipient(username: Username(checked: $0), withheld: [.apns])
            }, to: id)
        try store.close()
        return workspace
    }

    @Test(
        "While a run is being staged, no command reports the store as damaged",
        arguments: [
            ("report", 75), ("report notice --format html --output -", 75),
            ("report --format text", 0), ("report --user alice", 0), ("report --since 1d", 0),
            ("runs", 0), ("runs show \(id)", 0), ("runs show \(id) --format json", 0),
            ("preview notice.yaml", 0), ("store check", 0), ("store backup copy.sqlite", 0),
            ("export alice", 0), ("forget alice --yes", 0), ("schedule", 0), ("payload list", 0),
            ("payload list --run \(id)", 0), ("payload purge --dry-run", 0),
            ("stop \(id)", 0), ("resume \(id)", 2), ("run notice.yaml", 0),
        ] as [(String, Int32)])
    func whileARunIsBeingStagedNoCommandReportsTheStoreAsDamaged(command: String, status: Int32)
        async throws
    {
        let workspace = try await Self.workspace()
        let result = try await Binary.run(
            command.split(separator: " ").map(String.init), in: workspace, status: status)
        #expect(!(result.output + result.complaints).contains("damaged"))
        if status == 75 { #expect(result.complaints.contains("is still being staged")) }
    }
}
