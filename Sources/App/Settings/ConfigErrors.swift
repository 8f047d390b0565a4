import CampaignFormat

/// The error if the config or a file that it names has errors.
struct ConfigErrors: Refusal {
    /// The errors, and any warnings.
    let findings: [Diagnostic]
    var ignores = IgnoreComments()

    var sentence: String { "the configuration has errors, so nothing was done:" }
    var details: String { details(masksPeople: Invocation.current().masksPeople) }

    func details(masksPeople: Bool) -> String {
        TextDiagnosticRenderer(masksAudience: masksPeople, width: Console.errorColumns)
            .render(findings.sorted())
    }
}
