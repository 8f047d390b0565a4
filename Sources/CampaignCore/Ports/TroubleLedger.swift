#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Remembers which lasting troubles people were told of, so that a call each minute does not repeat them (contract, section 13).
///
/// Storage implements it. It keeps no words: only what a trouble is about, and a digest of it.
package protocol TroubleLedger: Sendable {
    /// Notes that people are told of a trouble, unless they were told of the same one a short while ago.
    ///
    /// Of several processes that ask at once, one is to tell.
    ///
    /// - Parameters:
    ///   - key: what it is about, such as a file or a run.
    ///   - digest: what tells it from other troubles about the same.
    ///   - interval: how long after that they are told of the same one again.
    ///   - now: the current time; a clock that was set counts by how far it is from then.
    /// - Returns: whether they are to be told.
    func tellTrouble(
        about key: String, digest: String, againAfter interval: Duration, now: Date
    ) async throws -> Bool
    /// What the troubles are about that people were told of.
    func toldTroubles() async throws -> Set<String>
    /// Forgets troubles that are over, so that they are told when they come back.
    func forgetTroubles(about keys: Set<String>) async throws
}
