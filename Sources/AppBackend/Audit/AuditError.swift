/// Why audit lines cannot be written.
package struct AuditError: Error, Hashable, Sendable, CustomStringConvertible {
    let path: String
    /// The system's words.
    let reason: String

    package var description: String {
        """
        the audit file \(path) cannot be written: \(reason); make room, check its folder and \
        the rights to it, or name another file with audit in the config's backend.
        """
    }
}
