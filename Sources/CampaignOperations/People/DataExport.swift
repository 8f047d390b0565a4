package import CampaignCore
package import Foundation
import Reports
package import Storage

/// All that a store holds of one person.
package struct DataExport {
    /// More runs than any store has, and more registrations than any person has.
    private static let most = 1_000_000

    private let store: any Store
    private let user: Username

    /// - Parameters:
    ///   - store: the store, with the key of its payloads.
    ///   - user: the person.
    package init(of user: Username, in store: any Store) {
        self.store = store
        self.user = user
    }

    /// Writes everything, run by run, the newest run first.
    ///
    /// - Parameters:
    ///   - now: the current time.
    ///   - shown: is told of each payload before it is written; if it throws, the payload is not written.
    ///   - sink: takes the pieces.
    /// - Throws: `StoreError`, also when the payload key is missing; what `shown` and `sink` throw.
    package func write(
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
            // A payload that recipients share says nothing about this person.
            let own = payload?.recipient == user ? payload : nil
            if own != nil { try shown(id) }
            try sink(try export.entry(run, rows, payload: own, isFirst: isFirst))
            isFirst = false
        }
        try sink(PersonExport.end)
    }
}
