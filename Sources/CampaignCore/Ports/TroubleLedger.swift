#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Remembers which lasting troubles were reported, so that a call each minute does not repeat them.
///
/// It keeps only a trouble's subject and digest, not its text.
package protocol TroubleLedger: Sendable {
    /// Notes a report; false if the same one was reported less than `interval` ago.
    ///
    /// If several processes ask at once, one gets true. A clock that was set counts by its
    /// distance.
    ///
    /// - Parameter key: the subject, such as a file or a run.
    func tellTrouble(
        about key: String, digest: String, againAfter interval: Duration, now: Date
    ) async throws -> Bool
    func toldTroubles() async throws -> Set<String>
    /// Forgets troubles that ended, so that they are reported if they return.
    func forgetTroubles(about keys: Set<String>) async throws
}
