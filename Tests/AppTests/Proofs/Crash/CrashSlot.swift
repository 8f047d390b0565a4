import Foundation
import Glibc
import SQLiteDriver
import Storage
import TestSupport
import Testing

/// A store whose campaigns run one after another and are killed repeatedly.
final class CrashSlot: Sendable {
    static let peopleCount = 60

    let people: [String]
    let killSwitch = KillSwitch()
    private let prefix: String
    private let workspace: Workspace
    private let folder: String
    private var reports: String { folder + "/reports" }
    private let random: SeededGenerator

    /// Creates a slot with an empty store; another test covers a kill while a store is being
    /// created.
    ///
    /// - Parameter number: distinguishes the people and kills of this slot from those of other
    ///   slots.
    init(_ number: Int) throws {
        prefix = "s\(number)"
        random = SeededGenerator(seed: UInt64(number))
        people = Campaigns.people(Self.peopleCount).map { [prefix] in "\(prefix).\($0)" }
        var shuffler = random
        let lines = people.shuffled(using: &shuffler).map { "\($0),Town of \($0)" }
        // The store is on a disk, so that syncs take time and a run can be killed in the middle of
        // staging.
        workspace = try Workspace(
            ["people.csv": "username,town\n" + lines.joined(separator: "\n") + "\n"],
            isInMemory: false)
        folder = workspace.file(".hubsend")
        try FileManager.default.createDirectory(
            atPath: reports, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try SQLiteStore.open(at: folder + "/store.sqlite").close()
    }

    /// The slot that the person in a request's tag expression belongs to.
    static func number(in tags: String?) -> Int? {
        tags?.split(separator: ".").first?.split(separator: ":s").last.flatMap { Int($0) }
    }

    /// Runs a campaign, kills its runs at each kind of moment, and then runs it until it is
    /// finished.
    ///
    /// - Parameters:
    ///   - number: distinguishes this campaign from others in the slot.
    ///   - met: gets the run's stage at each kill.
    func crash(
        _ kind: CrashCampaign.Kind, number: Int, environment: [String: String],
        met: (StoreRemains.Stage) -> Void
    ) async throws -> CrashRecord {
        let campaign = CrashCampaign(name: "\(prefix)-c\(number)", kind: kind)
        let file = "\(campaign.name).yaml"
        try workspace.write(campaign.text, to: file)
        var record = CrashRecord(campaign: campaign)
        var random = random
        let watches = [
            try FolderWatch(folder) { [killSwitch] in killSwitch.wrote($0) },
            try FolderWatch(reports) { [killSwitch] in killSwitch.reported($0) },
        ]
        defer { for watch in watches { watch.end() } }
        while true {
            // People who must not get two pushes are staged like everybody else.
            let moment = KillMoment.next(
                after: record.stages, aimsAtStaging: kind != .alert, using: &random)
            if let moment { killSwitch.arm(for: moment) }
            let run = try await Binary.start(
                ["run", file], in: workspace, environment: environment)
            killSwitch.give(run)
            let result = try await run.result()
            killSwitch.disarm()
            try Task.checkCancellation()
            guard result.status == 128 + SIGKILL else {
                let isTroubled = kind == .alert && result.status == 3
                #expect(result.status == 0 || isTroubled, "\(result.status): \(result.complaints)")
                break
            }
            let remains = try StoreRemains(in: folder, of: campaign.name)
            record.add(remains)
            met(remains.stage)
        }
        record.rows = try workspace.outcomeRows(of: campaign.name)
        return record
    }

    /// The files besides the store and the reports; this should be only the lock.
    func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .filter { $0 != "reports" && !$0.hasPrefix("store.sqlite") }
    }
}
