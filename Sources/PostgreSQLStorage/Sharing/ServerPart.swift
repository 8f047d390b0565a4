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
            // The lease counts from the beginning of the try that succeeds: while the server is away, there may be several tries.
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
    /// The longest time that a server which ended without notice may have forgotten, with the time that a busy machine needs to look
    /// at its clock.
    private static let mostForgotten = Duration.seconds(2)
    /// The longest time to send without reaching the server: results cannot be written down then, and pushes go out again if the part
    /// is lost.
    private static let mostUnheard = Duration.seconds(3)

    /// How long a process may send for its part after it began to renew it.
    ///
    /// This is less than the lease. A renewal does not wait for the server's disk, so a server that ended without notice may come back
    /// with an earlier one. And it is only a few beats long, so that a process that cannot reach the store soon stops sending.
    var heldLease: Duration { min(Self.mostUnheard, lease - min(Self.mostForgotten, lease / 5)) }
}
