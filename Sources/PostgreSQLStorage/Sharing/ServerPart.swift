import CampaignCore
import PostgreSQLClient
import Storage

/// A part in a run of a store on a server.
struct ServerPart: RunPart {
    /// The store, bound to the part.
    let store: PostgreSQLStore
    let binding: PartBinding
    let lease: RunLease

    var ledger: any RunLedger { store }

    func exchange(_ report: WorkerReport) async throws -> RunNews {
        RunNews(state: .running)
    }

    func leave() async throws {}
}
