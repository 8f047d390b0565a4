import CampaignCore
import Reports

/// What `hubsend doctor` found out about one thing.
package struct HealthCheck: Hashable, Sendable, Encodable {
    /// What it means for a run.
    package enum Status: String, Hashable, Sendable, Encodable {
        /// It is as it should be.
        case ok
        /// A run can be sent; a person should look.
        case warn
        /// A run would fail.
        case fail
    }

    /// What was looked at, in a word or two that stay the same.
    package let check: String
    package let status: Status
    /// What was found, and what to do if something is wrong; it holds nothing secret.
    package let message: String

    init(_ check: String, _ status: Status, _ message: String) {
        self.check = check
        self.status = status
        // Each check is one line, whatever stands in its message.
        self.message = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

extension [HealthCheck] {
    /// The gravest status of all checks.
    package var status: HealthCheck.Status {
        contains { $0.status == .fail } ? .fail : contains { $0.status == .warn } ? .warn : .ok
    }

    /// A line for each.
    ///
    /// - Parameter width: the terminal's columns, into which each is made to fit; nil: none is broken.
    package func text(width: Int? = nil) -> String {
        map { check in
            let status = VisibleText.padded(check.status.rawValue, to: 6)
            return WrappedText.paragraph(
                "\(status)\(check.check): \(check.message)", width: width,
                indent: VisibleText.padded("", to: 6), keepsWords: true
            ).map { $0 + "\n" }.joined()
        }.joined()
    }

    /// One object, on a line.
    ///
    /// - Throws: what the encoder throws.
    package func json() throws -> [UInt8] {
        try Examination(status: status, checks: self).line()
    }
}

/// What `hubsend doctor --json` prints; keys are only ever added.
private struct Examination: JSONLine {
    let status: HealthCheck.Status
    let checks: [HealthCheck]
}
