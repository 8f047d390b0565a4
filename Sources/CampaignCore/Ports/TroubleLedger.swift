#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Remembers which persistent problems were reported, so that a call every minute does not repeat
/// them.
///
/// Only a problem's subject and checksum are stored, but not its text.
package protocol TroubleLedger: Sendable {
    /// Records a report; returns false if the same report was made less than `interval` ago.
    ///
    /// If several processes call this at the same time, only one gets true. If the clock was set
    /// back, the absolute difference is used.
    ///
    /// - Parameter key: the subject of the problem, such as a file or a run.
    func recordTrouble(
        about key: String, digest: String, againAfter interval: Duration, now: Date
    ) async throws -> Bool
    func reportedTroubles() async throws -> Set<String>
    /// Forgets problems that have ended, so that they are reported if they return.
    func forgetTroubles(about keys: Set<String>) async throws
}
