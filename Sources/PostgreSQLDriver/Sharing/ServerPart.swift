import CampaignCore
import PostgreSQLClient

struct ServerPart: RunPart {
    let store: PostgreSQLStore
    let binding: PartBinding
    private let told = ToldRate()

    init(store: PostgreSQLStore, binding: PartBinding) {
        self.store = store
        self.binding = binding
    }

    var ledger: any SendingLedger & RunHistory { store }
    var lease: RunLease? { binding.lease }

    func exchange(_ report: WorkerReport) async throws -> RunNews {
        let (binding, comeback, told, lease) = (binding, store.comeback, told.value, store.lease)
        let heldLease = store.heldLease
        let text = try StoredReport(report).encoded()
        let (news, end) = try await store.write(isHeld: false) { db in
            // The lease counts from the beginning of the successful try; there may be several while
            // the server is away.
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
    /// The longest time that a crashed server may have forgotten, and a busy machine's delay.
    private static let mostForgotten = Duration.seconds(2)
    /// The longest time to send without the server: unrecorded results are sent again if the part
    /// is lost.
    private static let mostUnheard = Duration.seconds(3)

    /// How long a process may send for its part after it began to renew it: less than the lease,
    /// and only a few beats.
    ///
    /// A renewal does not wait for the server's disk, so a crashed server may return with an
    /// earlier one.
    var heldLease: Duration { min(Self.mostUnheard, lease - min(Self.mostForgotten, lease / 5)) }
}
