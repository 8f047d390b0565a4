import CampaignCore
import Foundation
import Storage

/// Deletes payloads that can no longer be fetched, and deliveries past their retention.
///
/// This frees space in the store's file; a message says how much.
struct PayloadPurge {
    let settings: EffectiveSettings
    let isQuiet: Bool
    var now = Date()

    private var retention: Retention { Retention(settings.retention) }
    /// Whether a person reads stderr.
    private var isWatched: Bool { settings.invocation.isErrorTerminal && !isQuiet }

    /// Says what would be deleted, even without a terminal, because that is what the user asked
    /// for.
    func rehearse() async throws {
        let reader = try await settings.store.openForReading()
        let counts = try await reader.purge(at: now, isDryRun: true)
        let deleted = try await retention.deleteDeliveries(in: reader, now: now, isDryRun: true)
        try Self.say(counts, deleted, isDryRun: true)
    }

    /// Deletes what can be deleted, but does not create a missing store.
    func run() async throws {
        try await settings.store.openForReading().close()
        let store = try await settings.store.open()
        let counts = try await store.purge(at: now, isDryRun: false)
        let deleted = try await retention.deleteDeliveries(in: store, now: now)
        if !isQuiet { try Self.say(counts, deleted, isDryRun: false) }
        let space = try await store.giveSpaceBack(isBrief: false) { [isWatched] bytes in
            guard isWatched else { return }
            Console.complain(
                "Rewriting the store's file (\(Figures.size(bytes))). This is needed only once, because an earlier version created the file."
            )
        }
        try store.close()
        if space.given > 0, !isQuiet {
            try Console.say("The store's file shrank by \(Figures.size(space.given)).")
        }
        guard space.kept > 0, isWatched else { return }
        Console.complain(
            """
            The store's file keeps \(Figures.size(space.kept)) of free space for later payloads. An earlier version \
            created the file, so it has to be rewritten once before it can shrink. The next purge rewrites it if \
            nothing else, such as `hubsend serve`, is using the store.
            """)
    }

    private static func say(
        _ counts: PurgeCounts, _ deleted: DeletedDeliveries, isDryRun: Bool
    ) throws {
        let sentences = sentences(counts, deleted, isDryRun: isDryRun)
        for sentence in sentences { try Console.say(sentence) }
    }

    /// Sentences about what was deleted or would be deleted.
    static func sentences(
        _ counts: PurgeCounts, _ deleted: DeletedDeliveries, isDryRun: Bool
    ) -> [String] {
        var sentences: [String] = []
        if counts != PurgeCounts() {
            let payloads = Figures.count(counts.notifications, "payload", "payloads")
            let verb = isDryRun ? "would be" : "was"
            sentences.append(
                "The content of \(payloads) (\(Figures.size(counts.bytes))) \(verb) deleted.")
        }
        if let sentence = Retention.sentence(deleted, isDryRun: isDryRun) {
            sentences.append(sentence)
        }
        return sentences.isEmpty ? ["There is nothing to delete."] : sentences
    }
}
