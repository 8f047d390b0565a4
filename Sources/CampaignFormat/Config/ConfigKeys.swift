/// The keys of `hubsend.yaml` (contract, section 11).
package enum ConfigKeys {
    static let later = ["backend", "defaults", "limits", "retention"]
    static let top = ["hub", "store", "reports"] + later
    static let connection = [
        "connection_string", "connection_string_file", "connection_string_command",
    ]
    static let hub = connection + ["name", "local"]

    /// Every key with those that lead to it.
    package static let all = top + hub.map { "hub." + $0 }
}
