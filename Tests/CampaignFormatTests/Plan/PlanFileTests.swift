import CampaignCore
import Files
import FoundationEssentials
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct PlanFileTests {
    private static let digest = String(repeating: "0f", count: 32)

    private static func plan(_ sending: PlannedSending = .occurrence(.once)) -> SavedPlan {
        SavedPlan(
            version: "1.0.0", made: Date(timeIntervalSince1970: 1_796_115_600),
            longestAge: .seconds(36 * 60 * 60), campaign: "spring", sending: sending,
            hub: HubIdentity(host: "local", name: "hub"),
            salt: Array(repeating: 0xA5, count: SavedPlan.saltLength),
            campaignKeys: [DigestedKey(key: "kind", lines: ["0123456789abcdef"])],
            configKeys: [DigestedKey(key: "limits.kinds", lines: [])],
            payloadFile: DigestedFile(
                path: "images/größe \"1\".png", mediaType: "image/png", byteCount: 4_096,
                digest: digest, lines: []),
            audience: AudienceDigest(
                counts: AudienceCounts(named: 5, duplicate: 1, excluded: 1, final: 3),
                platforms: [.apns: 3, .wns: 2], languages: ["pt-BR": 1, "default": 2],
                names: digest, values: digest))
    }

    @Test(
        "A plan is read back as it was written",
        arguments: [
            PlannedSending.occurrence(.once), .occurrence(Occurrence(checked: "2026-12-01")),
            .again,
            .followUp(of: RunID(checked: "20261201T090000Z-abcdef"), [.failed, .notAttempted]),
        ])
    func planIsReadBackAsItWasWritten(sending: PlannedSending) throws {
        let folder = try TemporaryFolder()
        let plan = Self.plan(sending)
        let bytes = try PlanFile.bytes(of: plan)
        let path = try folder.write(bytes, to: "a.plan", mode: 0o600)
        let read = try PlanFile.read(path)
        #expect(read.plan == plan)
        #expect(read.bytes == bytes)
    }

    @Test("A plan may have no payload file") func planMayHaveNoPayloadFile() throws {
        let folder = try TemporaryFolder()
        var plan = Self.plan()
        plan.payloadFile = nil
        let path = try folder.write(try PlanFile.bytes(of: plan), to: "a.plan", mode: 0o600)
        #expect(try PlanFile.read(path).plan == plan)
    }

    /// Writes a plan with changed text; returns the error of reading it.
    private func problem(_ change: (String) -> String, mode: Int = 0o600) throws -> PlanFileError? {
        let folder = try TemporaryFolder()
        let text = String(decoding: try PlanFile.bytes(of: Self.plan()), as: UTF8.self)
        let path = try folder.write(change(text), to: "a.plan", mode: mode)
        do throws(PlanFileError) {
            _ = try PlanFile.read(path)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "Damage to a plan is reported with its position",
        arguments: [
            ("\"format\" : 1,", "", "\"format\" is missing"),
            ("\"format\" : 1", "\"format\" : \"one\"", "\"format\" must be a number"),
            ("2026-12-01T09:00:00Z", "yesterday", "\"made\" must be a time"),
            ("\"36h\"", "\"a while\"", "\"max_age\" must be a duration"),
            ("0123456789abcdef", "0123", "\"lines\" must be a digest"),
            ("a5a5", "a5", "\"salt\" must be 16 bytes"),
            ("\"apns\" : 3", "\"apns\" : -3", "\"platforms\" must be a number"),
            ("\"apns\" : 3", "\"fax\" : 3", "\"platforms\" contains a platform"),
            ("\"hub\" : {", "\"hub\" : [{", "This [ is not closed"),
            ("\"format\" : 1", "\"format\" : 1, \"format\" : 1", "\"format\" is already set"),
        ])
    func damageToAPlanIsReportedWithItsPosition(text: String, other: String, why: String) throws {
        let found = try problem { $0.replacing(text, with: other, maxReplacements: 1) }
        guard case .damaged(_, let line, let column, let words)? = found else {
            Issue.record("\(String(describing: found))")
            return
        }
        #expect(words.contains(why), "\(words)")
        #expect(line >= 1 && column >= 1)
        #expect(found?.description.contains("line \(line), column \(column)") == true)
    }

    @Test("A truncated plan counts as damaged") func truncatedPlanCountsAsDamaged() throws {
        let found = try problem { String($0.prefix($0.count / 2)) }
        guard case .damaged? = found else {
            Issue.record("\(String(describing: found))")
            return
        }
    }

    @Test("A plan from a newer version is refused, and the error gives the reason")
    func planFromANewerVersionIsRefusedAndTheErrorGivesTheReason() throws {
        let found = try problem { $0.replacing("\"format\" : 1", with: "\"format\" : 2") }
        guard case .newer(_, format: 2)? = found else {
            Issue.record("\(String(describing: found))")
            return
        }
    }

    @Test("A plan that others can write is refused") func planThatOthersCanWriteIsRefused() throws {
        guard case .refused(_, .writableByOthers)? = try problem({ $0 }, mode: 0o666) else {
            Issue.record("it was read")
            return
        }
    }

    @Test("The error for a missing plan names its path")
    func errorForAMissingPlanNamesItsPath() throws {
        let folder = try TemporaryFolder()
        do throws(PlanFileError) {
            _ = try PlanFile.read(folder.file("none.plan"))
            Issue.record("it was read")
        } catch {
            #expect(error.description.contains("none.plan cannot be read"))
        }
    }
}
