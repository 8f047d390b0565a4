import ArgumentParser
import CampaignCore
import Foundation
import Settings
import Storage
import Terminal

/// `hubsend payload purge`.
struct PayloadPurgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Deletes the content of payloads that have expired or were revoked.",
        discussion: """
            What nobody can fetch any more is deleted for good, so nobody loses anything and it does not ask; runs, \
            outcomes and reports stay. The store's file gives back the space that is free in it. It can run beside \
            everything else, from cron for example.
            """)

    @Flag(help: "Only say what would be deleted.")
    var dryRun = false

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let reader = try SQLiteStore.openForReading(at: settings.store)
        if dryRun {
            return try say(try await reader.purge(at: Date(), isDryRun: true))
        }
        try reader.close()
        let store = try SQLiteStore.open(at: settings.store)
        try say(try await store.purge(at: Date(), isDryRun: false))
        let isHeard = settings.invocation.isErrorTerminal && !options.quiet
        let space = try await store.giveSpaceBack { bytes in
            guard isHeard else { return }
            Console.complain(
                "The store's file was begun by an earlier version and is written anew, once: \(Figures.size(bytes))."
            )
        }
        try store.close()
        if space.given > 0, !options.quiet {
            try Console.output("The store's file gave \(Figures.size(space.given)) back.\n")
        }
        if space.kept > 0, isHeard {
            Console.complain(
                """
                The store's file keeps \(Figures.size(space.kept)) of free space, which later payloads fill. It was begun by an \
                earlier version, and to give space back it has to be written anew, once. The next purge does that \
                when nothing else uses the store, such as `hubsend serve`.
                """)
        }
    }

    private func say(_ counts: PurgeCounts) throws {
        guard dryRun || !options.quiet else { return }
        guard counts != PurgeCounts() else {
            return try Console.output("There is nothing to delete.\n")
        }
        let payloads = Figures.count(counts.notifications, "payload", "payloads")
        let verb = dryRun ? "would be" : "was"
        try Console.output(
            "The content of \(payloads) (\(Figures.size(counts.bytes))) \(verb) deleted.\n")
    }
}
