@testable import App
import ProcessControl
import TestSupport
import Testing


/// A command that fails to start names nobody in a build's log.
@Suite(.bounded) struct MaskedFailureTests {
    @Test func aFileThatIsRefusedNamesNobodyWherePeopleAreMasked() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "devices: [{ user: \"zzperson 1\", platform: apns }]\n", to: "devices.yaml")
        let refused = #expect(throws: (any Error).self) { try LocalDevices.read(path) }
        let error = try #require(refused)
        let masked = FailureTranslation.end(for: error, masksPeople: true)
        #expect(masked.details.contains("***"))
        #expect(!masked.details.contains("zzperson"))
        let shown = FailureTranslation.end(for: error, masksPeople: false)
        #expect(shown.details.contains("zzperson 1"))
    }
}
