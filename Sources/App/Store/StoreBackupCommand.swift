import ArgumentParser

struct StoreBackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copies the store into a file, while others use it.",
        discussion: """
            The copy is the store as it was at one moment. It is written whole or not at all, has mode 0600, and is no \
            larger than what is in use of the store. The key of its payloads is not in it. A store \
            on a server is backed up with the server's own tools: see man/hubsend-postgresql.7.
            """)

    @Argument(help: "The file to make.", completion: .file())
    var file: String

    @Flag(help: "Replace an earlier backup.")
    var force = false

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        try await StoreCopy(settings, isQuiet: options.quiet)
            .write(to: file, isReplacing: force)
    }
}
