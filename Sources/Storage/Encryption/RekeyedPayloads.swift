/// What came of encrypting a store's payloads anew.
package struct RekeyedPayloads: Hashable, Sendable {
    /// Those that were encrypted anew.
    package var payloads = 0
    /// Those that none of the keys at hand opens; they stay as they are.
    package var unreadable = 0
    /// Whether a run is being staged, whose last payloads may be encrypted with an earlier key.
    package var isStaging = false
    /// Whether somebody began to encrypt all with another key meanwhile.
    package var isOvertaken = false

    package init() {}

    /// Whether only the first key is needed from now on.
    package var isComplete: Bool { unreadable == 0 && !isStaging && !isOvertaken }
}
