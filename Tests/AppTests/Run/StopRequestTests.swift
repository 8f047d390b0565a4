import CampaignCore
import Delivery
import Foundation
import SQLiteDriver
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct StopRequestTests {
    private let place: DueFixture

    init() throws {
        place = try DueFixture()
    }

    private func write(delivery: String) throws {
        try place.folder.write(
            """
            campaign: spring
            kind: secure
            platforms: [apns]
            audience: { usernames: [alice, bob] }
            payload: { text: Your statement is ready. }
            schedule: { at: "2027-01-15T08:30", time_zone: UTC }
            delivery: \(delivery)
            """, to: "spring.yaml")
    }

    private func stop(_ reference: RunReference) async throws {
        let settings = try EffectiveSettings.load(
            SettingFlags(config: place.folder.file("hubsend.yaml")), campaigns: [],
            invocation: Invocation())
        let store = try place.store()
        let request = StopRequest(target: reference, mode: .resumable, settings: settings)
        for run in try await request.runs(in: store) {
            _ = try await request.stop(
                run, with: RunStopper(ledger: store, lock: store.campaignLock), in: store)
        }
    }

    @Test("The stop command says how to prevent a fallback that is still to come")
    func stopCommandSaysHowToPreventAFallbackThatIsStillToCome() async throws {
        try write(delivery: "{ fallback: { after: 30m, message: You have a new message } }")
        try await place.withHub { hub in
            #expect(await place.call(0, at: hub) == [])
            #expect(await place.call(1_860, at: hub) == ["done"])
        }
        let found = try await place.runs()
        let run = try #require(found.first)
        for reference in [RunReference.campaign("spring"), .run(run.id)] {
            let fault = await #expect(throws: Refused.self) { try await stop(reference) }
            let text = try #require(fault).description
            #expect(text.contains("its fallback is still to come"))
            #expect(text.contains(" stop ") && text.contains(" --revoke \(run.id)"))
        }
        try write(delivery: "{ rate: 10/s }")
        await #expect(throws: StopError.finished(run.id)) { try await stop(.run(run.id)) }
        let fault = await #expect(throws: Refused.self) {
            try await stop(.campaign("spring"))
        }
        #expect(fault?.description.contains("Every run of campaign spring is finished") == true)
    }
}
