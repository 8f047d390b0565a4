import CampaignFormat

/// The config, or a file that it names, has errors and cannot be used.
struct ConfigFaults: Refusal {
    /// The errors, and any warnings.
    let findings: [Diagnostic]
    var ignores = IgnoreComments()

    var sentence: String { "the configuration is wrong, so nothing was done:" }
    var details: String { details(masksPeople: Invocation.current().masksPeople) }

    func details(masksPeople: Bool) -> String {
        TextDiagnosticRenderer(masksAudience: masksPeople, width: Console.errorColumns)
            .render(findings.sorted())
    }
}
