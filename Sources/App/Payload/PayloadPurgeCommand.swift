import ArgumentParser

struct PayloadPurgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Deletes the content of payloads that have expired or were revoked.",
        discussion: """
            What nobody can fetch any more is deleted for good, so nobody loses anything and it does not ask; runs, \
            outcomes and reports stay. So are the deliveries that the config's retention does not keep any longer, of \
            which sums stay. The store's file gives back the space that is free in it. It can run beside everything \
            else, from cron for example.
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
