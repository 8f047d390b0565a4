import Foundation
import GRDB
import TestSupport

/// The state in which a killed run left the store.
///
/// It is read from a copy, so that the next run finds the original unchanged.
struct StoreRemains: Sendable {
    enum Stage: String, Hashable, Sendable, CaseIterable {
        case nothing
        case staging
        /// Everybody is staged, but nothing is claimed.
        case staged
        /// Some deliveries are claimed, and some of these have no outcome.
        case sending
        /// Every claimed delivery has an outcome.
        case settled
        /// Everybody has an outcome, and the run is marked as finished.
        case finished
    }

    let stage: Stage
    /// Claimed deliveries without an outcome, such as `alice/apns`.
    let inDoubt: Set<String>

    /// - Parameter campaign: a campaign that has one run.
    init(in folder: String, of campaign: String) throws {
        let copy = try TemporaryFolder()
        for name in ["store.sqlite", "store.sqlite-wal"] {
            let path = folder + "/" + name
            guard FileManager.default.fileExists(atPath: path) else { continue }
            try FileManager.default.copyItem(atPath: path, toPath: copy.file(name))
        }
        let store = try DatabaseQueue(path: copy.file("store.sqlite"))
        (stage, inDoubt) = try store.read { db in
            guard try db.tableExists("deliveries"),
                let run = try Row.fetchOne(
                    db, sql: "SELECT key, state FROM runs WHERE campaign = ?",
                    arguments: [campaign])
            else { return (.nothing, []) }
            let key: Int = run[0]
            let doubts = try Set(String.fetchAll(db, sql: Self.doubts, arguments: [key]))
            let claimed = try Int.fetchOne(db, sql: Self.claimed, arguments: [key]) ?? 0
            let stage: Stage =
                switch run[1] as String {
                case "staging": .staging
                case "finished": .finished
                default: claimed == 0 ? .staged : doubts.isEmpty ? .settled : .sending
                }
            return (stage, doubts)
        }
        try store.close()
    }

    private static let claimed = "SELECT sum(claimed) FROM run_platforms WHERE run = ?"

    /// These deliveries were either claimed for the first time and have no row yet, or were claimed
    /// again.
    private static let doubts = """
        SELECT r.name || '/' || p.platform
        FROM run_platforms p
        JOIN recipients r ON r.run = p.run
        LEFT JOIN deliveries d
            ON d.run = p.run AND d.platform = p.position AND d.number = r.number
        WHERE p.run = ? AND r.number <= p.claimed AND (d.state IS NULL OR d.state = 0)
        """
}
