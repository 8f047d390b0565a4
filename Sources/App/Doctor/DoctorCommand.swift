import ArgumentParser
import ProcessControl

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks the config, credentials, clock, hub and store, and says what to fix.",
        discussion: """
            Prints one line for each check: ok, warn or fail, followed by what was found and what to do. Nothing is \
            sent and nothing is changed; one request to the hub tests whether it accepts the credentials. Commands \
            that provide secrets are run. Exits with 2 if a check fails.
            """)

    @Flag(help: "Print one JSON object on stdout.")
    var json = false

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let invocation = Invocation.current()
        let doctor = Doctor(
            invocation: invocation,
            settings: Result {
                try EffectiveSettings.load(options, campaigns: [], invocation: invocation)
            }, isMemoryPrivate: ProcessMemory.keepPrivate(), logger: options.logger())
        let checks = await doctor.examine()
        try json
            ? Console.output(checks.json())
            : Console.output(checks.text(width: Console.outputColumns))
        try (checks.status == .fail ? ExitStatus.configuration : .done).exit()
    }
}
