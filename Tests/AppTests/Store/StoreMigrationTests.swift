import CampaignCore
import Foundation
import GRDB
import PostgreSQLClient
import PostgreSQLDriver
import SQLiteDriver
import Storage
import StoreConformance
import Synchronization
import TestPostgreSQL
import TestSupport
import Testing

@testable import App

@Suite(.bounded, .postgreSQL) struct StoreMigrationTests {
    private static let keyText = Data(repeating: 7, count: 32).base64EncodedString()
    private static let people = Samples.names(7)
    private static let day = 86_400.0

    private let folder: TemporaryFolder
    private let path: String
    private let address: PostgreSQLAddress
    private let key: PayloadKeySource

    init() async throws {
        folder = try TemporaryFolder()
        path = folder.file("store.sqlite")
        address = try await PostgreSQLServer.shared.emptyStore()
        key = .given(try #require(PayloadKey(Self.keyText)))
    }

    private var place: StoreComponent { .server(address.description) }

    private func openFile(busyTimeout: Duration = .seconds(5)) throws -> SQLiteStore {
        try SQLiteStore.open(
            at: path, options: StoreOptions(busyTimeout: busyTimeout, payloadKey: key))
    }

    /// Opens the store on the server, either to work with it or to fill it.
    private func openServer(
        toFill: Bool = false, statementLimit: Duration = .seconds(60)
    ) throws -> PostgreSQLStore {
        var options = PostgreSQLStoreOptions(
            StoreOptions(payloadKey: key), keyFolder: folder.path, connections: 2)
        options.isCopyTarget = toFill
        options.pool.statementLimit = statementLimit
        return try PostgreSQLStore.open(at: address, options: options)
    }

    /// Copies the file, as the command does.
    @discardableResult
    private func migrate(
        statementLimit: Duration = .seconds(60),
        observe: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws -> TransferEnd {
        let store = try SQLiteStore.openForReading(
            at: path, options: StoreOptions(payloadKey: key))
        let source = try SQLiteSource(store)
        defer {
            try? source.close()
            try? store.close()
        }
        let target = try openServer(toFill: true, statementLimit: statementLimit)
        let end = try await target.fill(from: source, at: Samples.start, observe: observe)
        try target.close()
        return end
    }

    private func reading(_ store: any Store) async throws -> StoreReading {
        let reading = try await StoreReading(store, people: Self.people)
        try store.close()
        return reading
    }

    /// Fills the file with runs in all states and all of their data.
    private func fillFile() async throws {
        let test = try StoreUnderTest { try openFile() }
        let store = test.store
        try await deleteDeliveries(test)
        try await test.stageFinishedRun(endingAt: Samples.start + 3_600)
        try await pauseWaves(test)
        try await sendToMany(test)
        let file = PayloadFile(
            path: "a.png", mediaType: "image/png", bytes: [UInt8](repeating: 9, count: 3_000))
        let personal = Samples.run("bbbbbb", campaign: "b", started: Samples.start + 30)
        let ids = try await test.stagePersonal(Samples.names(3), of: personal, file: file)
        _ = try await store.revoke(ids[1], at: Samples.start + 31)
        try await store.requestStop(personal.id, .resumable)
        let secure = Samples.run(
            "cccccc", campaign: "c", kind: .secure, started: Samples.start + 40)
        try await test.stage(Samples.names(2), of: secure)
        try await store.revoke(secure.id, at: Samples.start + 41)
        let staging = Samples.run("eeeeee", campaign: "e", started: Samples.start + 50)
        try await store.begin(staging)
        try await store.store(Samples.notification(), of: staging.id)
        try await store.append(
            Samples.names(2).map { StagedRecipient(username: $0) }, to: staging.id)
        let handle = HandleDigest(bytes: [UInt8](repeating: 1, count: 32))
        try await store.issue("1-1", to: Self.people[0], handle: handle, at: Samples.start)
        _ = try await store.use(
            "1-1", of: Self.people[0], platform: .fcm, handle: handle, at: Samples.start + 1)
        try await store.issue("1-2", to: Self.people[1], handle: nil, at: Samples.start)
        _ = try await store.firstSight(
            of: "daily", campaign: "c", at: secure.hub, now: Samples.start)
        _ = try await store.recordTrouble(
            about: "file a", digest: "1", againAfter: .seconds(60), now: Samples.start)
        _ = try await store.forget(Self.people[4], at: Samples.start + 60)
        try store.close()
    }

    /// Stores a run whose deliveries were deleted, so that only the totals are left.
    private func deleteDeliveries(_ test: StoreUnderTest) async throws {
        let run = Samples.run("dddddd", campaign: "d", started: Samples.start - 40 * Self.day)
        try await test.stage(Samples.names(2), of: run)
        try await test.accept(1...2, of: run.id)
        let end = Samples.start - 30 * Self.day
        try await test.store.setState(.finished, reason: nil, of: run.id, at: end)
        let deleted = try await test.store.deleteDeliveries(
            ofRunsEndedBy: end, at: Samples.start + 8 * Self.day, isDryRun: false)
        #expect(deleted.runs == 1)
    }

    /// Stores a run that is paused between its waves.
    private func pauseWaves(_ test: StoreUnderTest) async throws {
        let run = Samples.run("aaaaaa", campaign: "a", started: Samples.start + 10)
        try await test.stage(inWavesOf: [3, 4], of: run, withholding: [3: [.apns]])
        _ = try await test.store.claimNext(run.id, platform: .apns, wave: 1, limit: 2)
        try await test.store.record(
            [
                Samples.record(1, .apns, .ended(.accepted), hubMessage: "m-1"),
                Samples.record(2, .apns, .waiting, detail: "HTTP 503: \u{0} and \u{1}"),
            ], requests: 2, of: run.id)
        let sent = try await test.store.untold(run.id, platform: .apns, after: 0, limit: 9)
        try await test.store.record(
            sent.map { (message: $0, fate: .ended("Success")) }, of: run.id,
            at: Samples.start + 90)
        _ = try await test.store.claimNext(run.id, platform: .fcm, wave: 2, limit: 3)
        try await test.store.setState(
            .paused, reason: "the hub said \u{0}", of: run.id, at: Samples.start + 100)
    }

    /// Stores a run that has more rows than fit on a page, and that gets its own partitions on a
    /// server.
    private func sendToMany(_ test: StoreUnderTest) async throws {
        let run = Samples.run("ffffff", campaign: "f", started: Samples.start + 20)
        try await test.stage(Samples.names(10_001), of: run)
        try await test.accept(1...3_000, of: run.id, on: .fcm)
        try await test.accept(1...3_000, of: run.id, on: .apns)
    }

    @Test("Everything in the file is copied to the server")
    func everythingInTheFileIsCopiedToTheServer() async throws {
        try await fillFile()
        let expected = try await reading(try openFile())
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(expected.runCount == 7)
        guard case .done(let counts) = try await migrate() else {
            Issue.record("The file was copied before.")
            return
        }
        #expect(counts["runs"] == 7)
        #expect(counts["recipients"] == 10_020)
        let differences = try await reading(try openServer()).differences(from: expected)
        #expect(differences == [])
        #expect(try await openServer().check().damage == [])
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        #expect(try await migrate() == .wasDone)
    }

    @Test("A paused run can continue from the server")
    func pausedRunCanContinueFromTheServer() async throws {
        let test = try StoreUnderTest { try openFile() }
        try await pauseWaves(test)
        try test.store.close()
        try await migrate()
        let server = try openServer()
        let run = Samples.runID("aaaaaa")
        let first = try await server.claimNext(run, platform: .fcm, wave: 1, limit: 9)
        #expect(first.map(\.number) == [1, 2, 3])
        let second = try await server.claimNext(run, platform: .fcm, wave: 2, limit: 9)
        #expect(second.map(\.number) == [7])
        let waiting = try await server.waiting(run, platform: .apns, after: 0, limit: 9)
        #expect(waiting.map(\.number) == [2])
        try server.close()
    }

    @Test("Claims from the file are settled on the server")
    func claimsFromTheFileAreSettledOnTheServer() async throws {
        let test = try StoreUnderTest { try openFile() }
        try await pauseWaves(test)
        let run = Samples.run("bbbbbb", campaign: "b", started: Samples.start + 20)
        try await test.stage(Samples.names(5), of: run)
        try await test.accept(1...2, of: run.id)
        _ = try await test.store.claimNext(run.id, platform: .apns, limit: 2)
        try test.store.close()
        try await migrate()
        let server = try openServer()
        try await server.setState(
            .running, reason: nil, of: Samples.runID("aaaaaa"), at: Samples.start)
        // The first run has two claimed deliveries. The second run has three claimed deliveries on
        // FCM, a recorded outcome and a waiting push.
        for (id, count, waiting) in [(run.id, 2, [3, 4]), (Samples.runID("aaaaaa"), 3, [2])] {
            let process = WorkerProcess(host: "a", number: 1, version: "1")
            let joined = try await server.sharing?.join(id, as: process, holding: nil)
            let part = try #require(joined)
            let settled = try await part.settleAbandoned(
                as: .waiting, detail: "left behind", at: Samples.start + 200)
            #expect(settled == count)
            let found = try await part.ledger.waiting(
                id, platform: .apns, after: 0, limit: 9)
            #expect(found.map(\.number) == waiting)
        }
        #expect(try await server.check().damage == [])
        try server.close()
    }

    @Test("People who are forgotten before or after the copy stay forgotten")
    func peopleWhoAreForgottenBeforeOrAfterTheCopyStayForgotten() async throws {
        let file = try openFile()
        _ = try await file.forget(Self.people[0], at: Samples.start)
        try file.close()
        try await migrate()
        let server = try openServer()
        #expect(try await server.forgotten(among: Self.people) == [Self.people[0]])
        _ = try await server.forget(Self.people[1], at: Samples.start)
        #expect(
            try await server.forgotten(among: Self.people) == [Self.people[0], Self.people[1]])
        try server.close()
    }

    @Test("An interrupted copy continues, and the store is unusable until it is complete")
    func interruptedCopyContinuesAndTheStoreIsUnusableUntilItIs() async throws {
        try await fillFile()
        let expected = try await reading(try openFile())
        try await interrupt()
        #expect(throws: StoreError.incomplete(place)) { _ = try openServer() }
        let first = Mutex<TransferProgress?>(nil)
        try await migrate { progress in first.withLock { $0 = $0 ?? progress } }
        #expect(first.withLock(\.self) == TransferProgress(done: 2, runs: 7))
        let differences = try await reading(try openServer()).differences(from: expected)
        #expect(differences == [])
    }

    /// Copies two runs and part of the third.
    private func interrupt() async throws {
        let store = try SQLiteStore.openForReading(
            at: path, options: StoreOptions(payloadKey: key))
        let source = try SQLiteSource(store)
        let target = try openServer(toFill: true)
        let steps = Mutex(0)
        let filling = Mutex<Task<TransferEnd, any Error>?>(nil)
        let (start, go) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in start {}
            return try await target.fill(from: source, at: Samples.start) { progress in
                guard progress.done == 2 else { return }
                let step = steps.withLock { steps in
                    steps += 1
                    return steps
                }
                // The first step ends the second run.
                if step == 4 { filling.withLock(\.self)?.cancel() }
            }
        }
        filling.withLock { $0 = task }
        go.finish()
        await #expect(throws: CancellationError.self) { try await task.value }
        try target.close()
        try source.close()
        try store.close()
    }

    /// The server receives a whole table of a run in one statement.
    @Test("Copying a table may take longer than the statement limit")
    func copyingATableMayTakeLongerThanTheStatementLimit() async throws {
        let test = try StoreUnderTest { try openFile() }
        try await test.stage(Samples.names(1))
        try test.store.close()
        try openServer().close()
        let waits = Mutex(true)
        try await migrate(statementLimit: .seconds(1)) { progress in
            guard progress.rows > 0, waits.withLock(\.self) else { return }
            waits.withLock { $0 = false }
            Thread.sleep(forTimeInterval: 1.2)
        }
        #expect(try await openServer().runs(campaign: nil, limit: 9).count == 1)
    }

    @Test("An interrupted copy continues after the file has been upgraded")
    func interruptedCopyContinuesAfterTheFileHasBeenUpgraded() async throws {
        try await stageThreeRuns()
        try await interrupt()
        try await DatabaseQueue(path: path).write { db in
            // A schema upgrade can change checksums.
            try db.execute(
                sql: """
                    UPDATE runs SET recipients_digest = NULL, notifications_digest = NULL,
                        deliveries_digest = NULL, seal = NULL;
                    UPDATE run_platforms SET seal = NULL
                    """)
        }
        try await migrate()
        #expect(try await openServer().runs(campaign: nil, limit: 9).count == 3)
    }

    @Test("An interrupted copy does not continue if the file has changed")
    func interruptedCopyDoesNotContinueIfTheFileHasChanged() async throws {
        try await stageThreeRuns()
        try await interrupt()
        let file = try openFile()
        try await file.setState(
            .finished, reason: nil, of: Samples.runID("aaaaaa"), at: Samples.start)
        try file.close()
        await #expect(throws: StoreError.filledFromAnother(place)) { try await migrate() }
    }

    private func stageThreeRuns() async throws {
        let test = try StoreUnderTest { try openFile() }
        for (number, campaign) in ["a", "b", "c"].enumerated() {
            let suffix = String(repeating: campaign, count: 6)
            try await test.stage(
                Samples.names(1),
                of: Samples.run(
                    suffix, campaign: campaign, started: Samples.start + Double(number)))
        }
        try test.store.close()
    }

    @Test("A server with other runs is refused and left unchanged")
    func serverWithOtherRunsIsRefusedAndLeftUnchanged() async throws {
        try openFile().close()
        let server = try openServer()
        try await server.begin(Samples.run())
        await #expect(throws: StoreError.notEmpty(place)) { try await migrate() }
        #expect(try await server.runs(campaign: nil, limit: 9).count == 1)
        try server.close()
        try openServer().close()
    }

    @Test("A host without the file's payload key is refused")
    func hostWithoutTheFilesPayloadKeyIsRefused() async throws {
        let test = try StoreUnderTest { try openFile() }
        try await test.stagePersonal(Samples.names(1))
        try test.store.close()
        let store = try SQLiteStore.openForReading(
            at: path, options: StoreOptions(payloadKey: key))
        let source = try SQLiteSource(store)
        let target = try PostgreSQLStore.open(
            at: address,
            options: PostgreSQLStoreOptions(
                StoreOptions(payloadKey: .given(.random())), keyFolder: folder.path,
                connections: 2))
        await #expect(
            throws: StoreError.wrongPayloadKey(place, file: folder.file("payload.key"))
        ) {
            try await target.fill(from: source, at: Samples.start)
        }
        try target.close()
        try source.close()
        try store.close()
        #expect(try await openServer().runs(campaign: nil, limit: 9).isEmpty)
    }

    @Test("Nobody can write to the file during the copy")
    func nobodyCanWriteToTheFileDuringTheCopy() async throws {
        let file = try openFile(busyTimeout: .milliseconds(1))
        let store = try SQLiteStore.openForReading(
            at: path, options: StoreOptions(payloadKey: key))
        let source = try SQLiteSource(store)
        await #expect(throws: StoreError.locked(.store(path: path))) {
            try await file.begin(Samples.run())
        }
        try source.close()
        try await file.begin(Samples.run())
        try store.close()
        try file.close()
    }

    // MARK: The command

    private func settings(
        store: String, environment: [String: String] = ["HUBSEND_PAYLOAD_KEY": keyText]
    ) throws -> EffectiveSettings {
        try EffectiveSettings.load(in: folder, store: store, environment)
    }

    @Test("The file's name is relative to the current folder")
    func filesNameIsRelativeToTheCurrentFolder() async throws {
        let test = try StoreUnderTest { try openFile() }
        try await test.stage(Samples.names(1))
        try test.store.close()
        let migration = StoreMigration(try settings(store: address.text), isQuiet: true)
        try await migration.run(from: "store.sqlite")
        #expect(try await openServer().runs(campaign: nil, limit: 9).count == 1)
    }

    @Test("The key next to the file must be copied first")
    func keyNextToTheFileMustBeCopiedFirst() async throws {
        let test = try StoreUnderTest { try SQLiteStore.open(at: path) }
        let ids = try await test.stagePersonal(Samples.names(1))
        try test.store.close()
        let settings = try settings(store: address.text, environment: [:])
        let migration = StoreMigration(settings, isQuiet: true)
        let target = settings.localFolder + "/payload.key"
        await #expect(
            performing: { try await migration.run(from: path) },
            throws: { error in
                let text = "\(error)"
                return text.contains(path + ".key") && text.contains(target)
            })
        try FileManager.default.createDirectory(
            atPath: settings.localFolder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: path + ".key", toPath: target)
        try await migration.run(from: path)
        let server = try PostgreSQLStore.open(
            at: address, options: PostgreSQLStoreOptions(keyFolder: settings.localFolder))
        #expect(try await server.notification(ids[0])?.bytes == Array("only for user-00001".utf8))
        try server.close()
    }

    @Test("A file that a run is using is not copied")
    func fileThatARunIsUsingIsNotCopied() async throws {
        let test = try StoreUnderTest { try openFile() }
        try await test.stage(Samples.names(1))
        let lock = try await test.store.campaignLock.acquire(campaign: "spring-sale")
        let migration = StoreMigration(try settings(store: address.text), isQuiet: true)
        let fault = await #expect(throws: Refused.self) {
            try await migration.run(from: path)
        }
        #expect(fault.map { "\($0)" }?.contains("hubsend stop spring-sale --store ") == true)
        lock?.release()
        try test.store.close()
    }

    @Test(
        "The message about a file that is not a store names the option",
        arguments: ["", "no store"])
    func messageAboutAFileThatIsNotAStoreNamesTheOption(content: String) async throws {
        let file = folder.file("letter.txt")
        try content.write(toFile: file, atomically: true, encoding: .utf8)
        let migration = StoreMigration(try settings(store: address.text), isQuiet: true)
        for name in [file, folder.file("nothing.sqlite")] {
            let fault = await #expect(throws: Refused.self) {
                try await migration.run(from: name)
            }
            #expect(fault.map { "\($0)" }?.hasSuffix("with --from.") == true, "\(name)")
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == content)
    }

    @Test("A file is not copied into another file")
    func fileIsNotCopiedIntoAnotherFile() async throws {
        try openFile().close()
        let migration = StoreMigration(
            try settings(store: folder.file("other.sqlite")), isQuiet: true)
        let fault = await #expect(throws: Refused.self) {
            try await migration.run(from: path)
        }
        #expect(fault.map { "\($0)" }?.contains("Name the server") == true)
        #expect(try !folder.contents().contains("other.sqlite"))
    }

    @Test("The output says what was copied and what to do next")
    func outputSaysWhatWasCopiedAndWhatToDoNext() {
        let sentences = StoreMigration.sentences(
            .done(["runs": 1, "recipients": 1_200]), from: .store(path: "/s/store.sqlite"),
            to: .file("/there"))
        #expect(
            sentences.first
                == """
                The store /s/store.sqlite was copied to the store /there; both contain 1 run, 1,200 recipients, 0 payloads, \
                0 outcomes, 0 receipts, 0 registrations.
                """)
        #expect(sentences.last?.contains("Keep it only as a backup") == true)
    }
}
