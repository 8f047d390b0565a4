import CampaignCore
import Foundation
package import Settings
import Storage
import Terminal

/// Deletes for good what nobody can fetch any more, gives back the space in the store's file, and says how much.
package struct PayloadPurge {
    private let path: String
    private let isQuiet: Bool
    /// Whether somebody reads what is said on stderr.
    private let isHeard: Bool

    /// - Parameters:
    ///   - settings: which store, and where standard streams lead.
    ///   - isQuiet: whether only failures are told.
    package init(_ settings: EffectiveSettings, isQuiet: Bool) {
        path = settings.store
        self.isQuiet = isQuiet
        isHeard = settings.invocation.isErrorTerminal && !isQuiet
    }

    /// Says what would be deleted; it is asked for, so that it is said in any case.
    ///
    /// - Throws: `StoreError`; `TerminalFault` when stdout is closed.
    package func rehearse() async throws {
        let reader = try SQLiteStore.openForReading(at: path)
        try Self.say(try await reader.purge(at: Date(), isDryRun: true), "would be")
    }

    /// Deletes it; a store that is not there is not made.
    ///
    /// - Throws: as ``rehearse()``.
    package func run() async throws {
        try SQLiteStore.openForReading(at: path).close()
        let store = try SQLiteStore.open(at: path)
        let counts = try await store.purge(at: Date(), isDryRun: false)
        if !isQuiet { try Self.say(counts, "was") }
        let space = try await store.giveSpaceBack { [isHeard] bytes in
            guard isHeard else { return }
            Console.complain(
                "The store's file was begun by an earlier version and is written anew, once: \(Figures.size(bytes))."
            )
        }
        try store.close()
        if space.given > 0, !isQuiet {
            try Console.output("The store's file gave \(Figures.size(space.given)) back.\n")
        }
        guard space.kept > 0, isHeard else { return }
        Console.complain(
            """
            The store's file keeps \(Figures.size(space.kept)) of free space, which later payloads fill. It was begun by an \
            earlier version, and to give space back it has to be written anew, once. The next purge does that \
            when nothing else uses the store, such as `hubsend serve`.
            """)
    }

    private static func say(_ counts: PurgeCounts, _ verb: String) throws {
        guard counts != PurgeCounts() else {
            return try Console.output("There is nothing to delete.\n")
        }
        let payloads = Figures.count(counts.notifications, "payload", "payloads")
        try Console.output(
            "The content of \(payloads) (\(Figures.size(counts.bytes))) \(verb) deleted.\n")
    }
}
