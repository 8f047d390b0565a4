import Foundation
import GRDB
import TestSupport

/// What a killed run has left in its store.
///
/// It is read from a copy, so that the next run finds the store exactly as the kill left it.
struct StoreRemains: Sendable {
    /// How far the run had come.
    enum Stage: String, Hashable, Sendable, CaseIterable {
        /// Nothing of the run is there.
        case nothing
        case staging
        /// Everybody is written down, nothing claimed.
        case staged
        /// Something is claimed, and of some of that nothing is known.
        case sending
        /// Of all that is claimed the outcome is known.
        case settled
        /// Everybody has an outcome, and the run is marked so.
        case finished
    }

    let stage: Stage
    /// Who was claimed and has no outcome, such as `alice/apns`.
    let inDoubt: Set<String>

    /// Reads a store.
    ///
    /// - Parameters:
    ///   - folder: where it is.
    ///   - campaign: the campaign, of which there is one run.
    /// - Throws: when it cannot be copied or read.
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

    /// Claimed for the first time and no row yet, or claimed again.
    private static let doubts = """
        SELECT r.name || '/' || p.platform
        FROM run_platforms p
        JOIN recipients r ON r.run = p.run
        LEFT JOIN deliveries d
            ON d.run = p.run AND d.platform = p.position AND d.number = r.number
        WHERE p.run = ? AND r.number <= p.claimed AND (d.state IS NULL OR d.state = 0)
        """
}
