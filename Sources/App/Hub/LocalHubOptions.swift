import ArgumentParser
import Files
import LocalHub

struct LocalHubOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A devices file: whom the hub knows from its start.", valueName: "file"),
        completion: .yamlFiles)
    var devices: String?

    @Option(
        name: .customLong("fault"), parsing: .singleValue,
        help: ArgumentHelp(
            "Something that goes wrong, such as 'status: 500, share: 5%'; may be repeated.",
            valueName: "fault"))
    var faultTexts: [String] = []

    @Option(
        name: .customLong("faults"), parsing: .singleValue,
        help: ArgumentHelp("A file with what goes wrong; may be repeated.", valueName: "file"),
        completion: .yamlFiles)
    var faultFiles: [String] = []

    @Option(
        help: ArgumentHelp(
            "What shares are drawn by: the same number fails in the same way.", valueName: "number")
    )
    var seed: UInt64 = 1

    /// A hub with these options on a free port of this machine.
    func configuration(_ invocation: Invocation) throws -> LocalHubConfiguration {
        var configuration = LocalHubConfiguration()
        if let devices {
            configuration.devices = try LocalDevices.read(invocation.absolute(devices))
        }
        configuration.faults = try LocalFaults.read(
            flags: faultTexts, files: faultFiles.map(invocation.absolute))
        configuration.readFaults = LocalFaults.read(body:)
        configuration.seed = seed
        configuration.limits.connections = try OpenFiles.connections(
            atMost: configuration.limits.connections)
        return configuration
    }
}
