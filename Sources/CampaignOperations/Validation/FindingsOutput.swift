import CampaignCore
package import CampaignFormat
package import Settings
import Terminal

/// Prints findings the way the command was asked to.
package struct FindingsOutput {
    private let invocation: Invocation
    private let format: ListFormat

    /// - Parameters:
    ///   - invocation: where standard streams lead.
    ///   - format: how findings are written.
    package init(invocation: Invocation, format: ListFormat) {
        self.invocation = invocation
        self.format = format
    }

    /// Prints the findings on stdout.
    ///
    /// - Throws: `TerminalFault` when stdout cannot be written.
    package func print(_ findings: [Diagnostic]) throws {
        try Console.output(text(findings), style: invocation.outputStyle)
    }

    /// Prints the findings on stderr.
    func complain(_ findings: [Diagnostic]) throws {
        Console.notice(
            try text(findings, onTerminal: invocation.isErrorTerminal), style: invocation.errorStyle
        )
    }

    /// The findings as text; audience values are masked where the output is a public build log.
    ///
    /// - Parameters:
    ///   - findings: in their order.
    ///   - isTerminal: whether it goes to a terminal; nil: whether stdout does.
    /// - Returns: whole lines.
    /// - Throws: when they cannot be written as JSON.
    func text(_ findings: [Diagnostic], onTerminal isTerminal: Bool? = nil) throws -> String {
        let masks = invocation["CI"] != nil
        switch format {
        case .text:
            let isColored = invocation.allowsColor(
                onTerminal: isTerminal ?? invocation.isOutputTerminal)
            return TextDiagnosticRenderer(isColored: isColored, masksAudience: masks).render(
                findings)
        case .json:
            return try JSONDiagnosticRenderer(masksAudience: masks).render(findings)
        }
    }

    /// Such as `3 errors, 1 warning`.
    static func tally(_ findings: [Diagnostic]) -> String {
        let errors = findings.count { $0.severity == .error }
        let warnings = findings.count - errors
        let parts = [(errors, "error"), (warnings, "warning")].filter { $0.0 > 0 }
            .map { Figures.count($0.0, $0.1, $0.1 + "s") }
        return parts.isEmpty ? "no faults" : parts.joined(separator: ", ")
    }
}

/// How findings, previews and lists are written.
package enum ListFormat: String, CaseIterable, Sendable {
    case text
    case json
}
