import Storage

/// Everything known about one run, as `hubsend runs show` prints it.
struct RunDescription {
    private let details: RunDetails

    init(of reference: RunReference, in store: any Store) async throws {
        details = try await RunDetails(of: reference.last(in: store), in: store)
    }

    func print(_ format: ListFormat, _ settings: EffectiveSettings) throws {
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
