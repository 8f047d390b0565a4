import CampaignCore

/// The result of one check of `hubsend doctor`.
struct HealthCheck: Hashable, Sendable, Encodable {
    enum Status: String, Hashable, Sendable, Encodable {
        case ok
        /// A run can be sent, but somebody should look into the problem.
        case warn
        /// A run would fail.
        case fail
    }

    /// The name of the check: one or two words that never change.
    let check: String
    let status: Status
    /// The result, and what to do if something is wrong, without any secret.
    let message: String

    init(_ check: String, _ status: Status, _ message: String) {
        self.check = check
        self.status = status
        // A message is always printed on one line, even if it contains line breaks.
        self.message = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

extension [HealthCheck] {
    /// The worst status of all checks.
    var status: HealthCheck.Status {
        contains { $0.status == .fail } ? .fail : contains { $0.status == .warn } ? .warn : .ok
    }

    /// The text, with one line per check; if `width` is not nil, lines are wrapped to this many
    /// columns.
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

/// The output of `hubsend doctor --json`; keys may be added, but never removed.
private struct Examination: JSONLine {
    let status: HealthCheck.Status
    let checks: [HealthCheck]
}
