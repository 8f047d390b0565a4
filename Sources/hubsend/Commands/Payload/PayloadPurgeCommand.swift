import ArgumentParser
import CampaignCore
import Foundation
import Storage

/// `hubsend payload purge`.
struct PayloadPurgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Deletes the content of payloads that have expired or were revoked.",
        discussion: """
            What nobody can fetch any more is deleted for good, so nobody loses anything and it does not ask; runs, \
            outcomes and reports stay. It can run beside everything else, from cron for example.
            """)

    @Flag(help: "Only say what would be deleted.")
    var dryRun = false

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try Settings.load(options, campaigns: [])
        let reader = try SQLiteStore.openForReading(at: settings.store)
        if dryRun {
            return try say(try await reader.purge(at: Date(), isDryRun: true))
        }
        try reader.close()
        let store = try SQLiteStore.open(at: settings.store)
        let counts = try await store.purge(at: Date(), isDryRun: false)
        try store.close()
        try say(counts)
    }

    private func say(_ counts: PurgeCounts) throws {
        guard dryRun || !options.quiet else { return }
        guard counts != PurgeCounts() else {
            return try Console.output("There is nothing to delete.\n")
        }
        let payloads =
            counts.notifications == 1 ? "1 payload" : "\(counts.notifications) payloads"
        let verb = dryRun ? "would be" : "was"
        try Console.output("The content of \(payloads) (\(counts.bytes) bytes) \(verb) deleted.\n")
    }
}
