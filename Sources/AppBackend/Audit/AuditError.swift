import Files

/// Why audit lines cannot be written.
package struct AuditError: Error, Hashable, Sendable, CustomStringConvertible {
    enum Fault: Hashable, Sendable {
        /// The system, or what the place is, prevents it; a few words.
        case unwritable(reason: String)
        /// Others can read or write it.
        case unprotected(FileFault)
    }

    let path: String
    let fault: Fault

    package var description: String {
        switch fault {
        case .unwritable(let reason):
            """
            The audit file \(path) cannot be written: \(reason). Make room, check its folder and \
            the rights to it, or name another file with audit in the config's backend.
            """
        case .unprotected(let fault):
            "The audit file \(path) \(fault.text(path: path))"
        }
    }
}
