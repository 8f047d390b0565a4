import ArgumentParser

struct PayloadPurgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Deletes the content of payloads that have expired or were revoked.",
        discussion: """
            Content that nobody can fetch any more is deleted permanently and without asking; runs, outcomes and \
            reports stay. Deliveries older than the config's `retention` are deleted too, and their totals stay. The \
            store's file then gives back its free space. The command can run while others use the store, for example \
            from cron.
            """)

    @Flag(help: "Only say what would be deleted.")
    var dryRun = false

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let purge = PayloadPurge(settings: settings, isQuiet: options.quiet)
        try await dryRun ? purge.rehearse() : purge.run()
    }
}
