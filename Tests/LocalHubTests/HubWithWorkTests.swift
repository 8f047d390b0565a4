import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct HubWithWorkTests {
    private static let address = LocalHubAddress(host: "127.0.0.1", port: 1, hubName: "hub")
    private static let fault = LocalHubError.portInUse(host: "127.0.0.1", port: 1)

    @Test("A failing hub stops the work and is reported as the cause")
    func failingHubStopsTheWorkAndIsReportedAsTheCause() async throws {
        let (working, isWorking) = AsyncStream.makeStream(of: Void.self)
        let (work, _) = AsyncStream.makeStream(of: Void.self)
        let failure = await #expect(throws: HubWithWork.HubFailure.self) {
            _ = try await HubWithWork.run { onReady in
                onReady(Self.address)
                for await _ in working {}
                throw Self.fault
            } _: { _ in
                isWorking.finish()
                for await _ in work {}
                try Task.checkCancellation()
                return 0
            }
        }
        #expect(failure?.cause as? LocalHubError == Self.fault)
    }

    @Test("An error while listening is reported unchanged")
    func errorWhileListeningIsReportedUnchanged() async throws {
        await #expect(throws: Self.fault) {
            _ = try await HubWithWork.run { _ in
                throw Self.fault
            } _: { _ in
                0
            }
        }
    }

    @Test("The result of the work is not lost if the hub fails at the end")
    func resultOfTheWorkIsNotLostIfTheHubFailsAtTheEnd() async throws {
        let (hub, _) = AsyncStream.makeStream(of: Void.self)
        var troubles: [LocalHubError?] = []
        let result = try await HubWithWork.run { onReady in
            onReady(Self.address)
            for await _ in hub {}
            throw Self.fault
        } _: { _ in
            7
        } onTrouble: {
            troubles.append($0 as? LocalHubError)
        }
        #expect(result == 7)
        #expect(troubles == [Self.fault])
    }
}
