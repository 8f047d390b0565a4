import Reports
package import Settings
package import Storage
import Terminal

/// Everything known about one run, as `hubsend runs show` prints it.
package struct RunDescription {
    private let details: RunDetails

    package init(of reference: RunReference, in store: any Store) async throws {
        details = try await RunDetails(of: reference.last(in: store), in: store)
    }

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
