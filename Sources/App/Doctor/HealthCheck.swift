import CampaignCore

/// What `hubsend doctor` found out about one thing.
struct HealthCheck: Hashable, Sendable, Encodable {
    enum Status: String, Hashable, Sendable, Encodable {
        case ok
        /// A run can be sent, but a person should look.
        case warn
        /// A run would fail.
        case fail
    }

    /// The check's name, a word or two that never change.
    let check: String
    let status: Status
    /// What was found, and what to do if something is wrong; never a secret.
    let message: String

    init(_ check: String, _ status: Status, _ message: String) {
        self.check = check
        self.status = status
        // Each check is one line, whatever its message contains.
        self.message = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

extension [HealthCheck] {
    /// The gravest status of all checks.
    var status: HealthCheck.Status {
        contains { $0.status == .fail } ? .fail : contains { $0.status == .warn } ? .warn : .ok
    }

    /// One line per check, wrapped to `width` columns; nil: not wrapped.
    func text(width: Int? = nil) -> String {
        map { check in
            let status = VisibleText.padded(check.status.rawValue, to: 6)
            return WrappedText.paragraph(
                "\(status)\(check.check): \(check.message)", width: width,
                indent: VisibleText.padded("", to: 6), keepsWords: true
            ).map { $0 + "\n" }.joined()
        }.joined()
    }

    func json() throws -> [UInt8] {
        try Examination(status: status, checks: self).line()
    }
}

/// What `hubsend doctor --json` prints; keys are only added, never removed.
private struct Examination: JSONLine {
    let status: HealthCheck.Status
    let checks: [HealthCheck]
}
