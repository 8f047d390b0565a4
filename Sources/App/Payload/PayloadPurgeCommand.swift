import ArgumentParser

struct PayloadPurgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Deletes the content of payloads that have expired or were revoked.",
        discussion: """
            Content that nobody can fetch any more is deleted permanently, without asking for confirmation; runs, \
            outcomes and reports are kept. Deliveries older than the config's `retention` are deleted too, but their \
            totals are kept. Free space in the store's file is then returned to the disk. The command can run while \
            the store is in use, for example from cron.
            """)

    @Flag(help: "Only list what would be deleted.")
    var dryRun = false

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let purge = PayloadPurge(settings: settings, isQuiet: options.quiet)
        try await dryRun ? purge.rehearse() : purge.run()
    }
}
