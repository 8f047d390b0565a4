import ProcessControl
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct MaskedFailureTests {
    @Test("The error about a refused file masks people's names")
    func errorAboutARefusedFileMasksPeoplesNames() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "devices: [{ user: \"zzperson 1\", platform: apns }]\n", to: "devices.yaml")
        let faults = try #require(
            #expect(throws: ConfigErrors.self) { try LocalDevices.read(path) })
        let masked = faults.details(masksPeople: true)
        #expect(masked.contains("***"))
        #expect(!masked.contains("zzperson"))
        #expect(faults.details(masksPeople: false).contains("zzperson 1"))
    }
}
