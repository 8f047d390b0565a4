import CampaignCore
import Foundation
import Storage

struct DataExport {
    /// A limit above the number of runs in any store and of registrations of any person.
    private static let most = 1_000_000

    private let store: any Store
    private let user: Username

    init(of user: Username, in store: any Store) {
        self.store = store
        self.user = user
    }

    /// Writes everything, newest run first; calls `shown` before each payload, and ends if `shown`
    /// throws.
    func write(
        at now: Date, shown: (NotificationID) throws -> Void, to sink: ([UInt8]) throws -> Void
    ) async throws {
        let export = PersonExport(user, at: now)
        let registrations = try await store.registrations(
            of: user, handle: nil, limit: Self.most)
        try sink(try export.beginning(registrations))
        var isFirst = true
        for run in try await store.runs(campaign: nil, limit: Self.most) {
            try Task.checkCancellation()
            let rows = try await store.reportRows(run.id, of: user)
            guard let id = rows.first?.notification else { continue }
            let payload = try await store.notification(id)
            // A shared payload contains nothing about this person.
            let own = payload?.recipient == user ? payload : nil
            if own != nil { try shown(id) }
            try sink(try export.entry(run, rows, payload: own, isFirst: isFirst))
            isFirst = false
        }
        try sink(PersonExport.end)
    }
}
