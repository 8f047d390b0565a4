import ArgumentParser
import CampaignCore
import ProcessControl

struct StoreMigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Brings the store of an earlier version up to date, or a file to a server.",
        discussion: """
            Every command that opens the store does so by itself; this one does nothing else, such as before the new \
            version is used. Earlier versions do not open the store afterwards: back it up before, with the program \
            that made it. With --from, the store of a file is copied into the configured one, which is on a server and \
            empty; what was interrupted goes on with the same command: see man/hubsend-postgresql.7.
            """)

    @Option(help: "The file with the store to copy; nothing in it is changed.", completion: .file())
    var from: String?

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let migration = StoreMigration(settings, isQuiet: options.quiet)
        guard let from else { return try await migration.bringUpToDate() }
        _ = try await SignalWatch.run { try await migration.run(from: from) }
    }
}
