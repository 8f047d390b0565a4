import Reports
package import Settings
package import Storage
import Terminal

/// All that is known of one run, as `hubsend runs show` prints it.
package struct RunDescription {
    private let details: RunDetails

    /// Reads the run.
    ///
    /// - Throws: ``OperationFault`` when there is no such run, and what the store throws.
    package init(of reference: RunReference, in store: any Store) async throws {
        details = try await RunDetails(of: reference.last(in: store), in: store)
    }

    /// Writes the description to stdout.
    ///
    /// - Throws: `TerminalFault` when stdout is closed or its disk is full.
    package func print(_ format: ListFormat, _ settings: EffectiveSettings) throws {
        switch format {
        case .text:
            let style = settings.invocation.outputStyle
            let text = RunDetailsText(
                details, style: style, command: settings.commandForm,
                width: Console.outputColumns)
            try Console.output(text.text(), style: style)
        case .json:
            try Console.output(RunDetailsJSON(details).line())
        }
    }
}
