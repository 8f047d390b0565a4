import ArgumentParser
import ProcessControl

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks config, credentials, clock, hub and store, and says what to do.",
        discussion: """
            Prints a line for each check: ok, warn or fail, what was found, and what to do. It sends nothing and changes \
            nothing; the hub is only asked, which shows whether it takes the credentials. Commands that \
            settings name for secrets are run. Exits with 2 when a check fails.
            """)

    @Flag(help: "Print one JSON object on stdout.")
    var json = false

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let invocation = Invocation.current()
        let doctor = Doctor(
            Result { try EffectiveSettings.load(options, campaigns: [], invocation: invocation) },
            invocation: invocation, isMemoryPrivate: ProcessMemory.keepPrivate(),
            logger: options.logger(), connection: { try await $0.lasting(as: .hubsend) },
            explain: { error in
                let end = FailureTranslation.end(for: error)
                return [end.message, end.details].filter { !$0.isEmpty }.joined(separator: " ")
            })
        let checks = await doctor.examine()
        try json
            ? Console.output(checks.json())
            : Console.output(checks.text(width: Console.outputColumns))
        try CommandEnd.exit(checks.status == .fail ? .configuration : .done)
    }
}
