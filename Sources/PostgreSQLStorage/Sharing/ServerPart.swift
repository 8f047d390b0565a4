import CampaignCore
import PostgreSQLClient
import Storage

/// A part in a run of a store on a server.
struct ServerPart: RunPart {
    /// The store, bound to the part.
    let store: PostgreSQLStore
    let binding: PartBinding
    private let told = ToldRate()

    init(store: PostgreSQLStore, binding: PartBinding) {
        self.store = store
        self.binding = binding
    }

    var ledger: any RunLedger { store }
    var lease: RunLease { binding.lease }

    func exchange(_ report: WorkerReport) async throws -> RunNews {
        let (binding, comeback, told, lease) = (binding, store.comeback, told.value, store.lease)
        let heldLease = store.heldLease
        let text = try StoredReport(report).encoded()
        let (news, end) = try await store.write(isHeld: false) { db in
            // Counts from before this try: while the server is away, there may be several.
            let end = ContinuousClock.now + heldLease
            let exchange = PartExchange(
                binding, comeback, report, text: text, told: told, lease: lease)
            return (try exchange.run(db), end)
        }
        binding.lease.extend(until: end)
        self.told.value = news.rate
        return news
    }

    func leave() async throws {
        binding.lease.extend(until: .now)
        try await store.write(isHeld: false) { [binding] db in
            let row = try db.row(
                "SELECT 1 FROM run_members WHERE run = $1 AND member = $2 FOR UPDATE",
                [binding.key, binding.member])
            if row != nil { try RunMembers.remove([binding.member], of: binding.key, db) }
        }
    }
}

extension PostgreSQLStore {
    /// For how long, at most, a server that ended without notice had not kept what it was told, and how long a machine that was busy
    /// needs to look at a clock.
    private static let mostForgotten = Duration.seconds(2)
    /// What goes out meanwhile cannot be written down, and goes out again if the part is lost.
    private static let mostUnheard = Duration.seconds(3)

    /// For how long a process may send for its part after it began to renew it.
    ///
    /// It is less than the lease: a renewal does not wait for the server's disk, so that a server that ends without notice may have
    /// an earlier one instead when it is back. And it is a few beats: who cannot reach the store soon stops to send.
    var heldLease: Duration { min(Self.mostUnheard, lease - min(Self.mostForgotten, lease / 5)) }
}
