import Foundation
import Glibc
import SQLiteStorage
import TestSupport
import Testing

/// One store, whose campaigns are run one after the other and killed again and again.
final class CrashSlot: Sendable {
    static let peopleCount = 60

    let people: [String]
    let killSwitch = KillSwitch()
    private let prefix: String
    private let workspace: Workspace
    private let folder: String
    private var reports: String { folder + "/reports" }
    private let random: SeededGenerator

    /// Makes a slot, with an empty store: what a kill leaves of one that is only being made is another proof.
    ///
    /// - Parameter number: tells its people and its kills from other slots'.
    /// - Throws: when its folder cannot be made or watched.
    init(_ number: Int) throws {
        prefix = "s\(number)"
        random = SeededGenerator(seed: UInt64(number))
        people = Campaigns.people(Self.peopleCount).map { [prefix] in "\(prefix).\($0)" }
        var shuffler = random
        let lines = people.shuffled(using: &shuffler).map { "\($0),Town of \($0)" }
        // On a disk, whose syncs let a kill come in the middle of staging.
        workspace = try Workspace(
            ["people.csv": "username,town\n" + lines.joined(separator: "\n") + "\n"],
            isInMemory: false)
        folder = workspace.file(".hubsend")
        try FileManager.default.createDirectory(
            atPath: reports, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try SQLiteStore.open(at: folder + "/store.sqlite").close()
    }

    /// The slot that a tag's person belongs to.
    ///
    /// - Parameter tags: the tag expression of a request.
    /// - Returns: its number.
    static func number(in tags: String?) -> Int? {
        tags?.split(separator: ".").first?.split(separator: ":s").last.flatMap { Int($0) }
    }

    /// Runs a campaign, kills its runs at each kind of moment, and runs it again until it is finished.
    ///
    /// - Parameters:
    ///   - kind: its kind.
    ///   - number: tells it from others of the slot.
    ///   - environment: points `hubsend` at the hub.
    ///   - met: gets how far the run had come at each kill.
    /// - Returns: what happened.
    /// - Throws: when a run ends in another way than it should.
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
            // Whom nobody sends to twice is staged as all others are.
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

    /// What stands beside store and reports, which is nothing but the lock.
    ///
    /// - Returns: the names.
    /// - Throws: when the folder cannot be read.
    func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .filter { $0 != "reports" && !$0.hasPrefix("store.sqlite") }
    }
}
