import CampaignCore

/// A campaign without parts that could not be read, with the places of its values.
struct LintDocument {
    let root: YAMLNode
    let files: SourceFiles
    /// Whether the file has errors, so that some parts may be missing here.
    let hasErrors: Bool
    let kind: CampaignKind?
    let platforms: [Platform]
    let payload: PayloadSection?
    let audience: AudienceSection?
    let schedule: Schedule?
    let hasSendTimes: Bool
    let delivery: DeliveryPolicy

    /// False for a place in the config, whose findings would be repeated for each campaign.
    func isOwn(_ range: SourceRange) -> Bool { files.place(of: range).file == files.file }

    /// The findings of all rules that have a check, sorted.
    var remarks: [Diagnostic] {
        Rule.all.flatMap { rule in
            (rule.check?(self) ?? []).filter { isOwn($0.range) }.map {
                files.finding(
                    rule, at: $0.range, isPersonal: $0.isPersonal, $0.message, help: $0.help)
            }
        }.sorted()
    }

    /// The files of the audience and the payload, as the campaign names them, even if it has
    /// errors.
    var namedFiles: [String] {
        // There may be two exclusions, because the config's `defaults` can add one.
        let parts = [root.entry(at: "audience")?.value].compactMap(\.self).flatMap { audience in
            [audience] + audience.entries("exclude").map(\.value)
        }
        let audience = parts.flatMap { $0.entry(at: "files")?.value.items ?? [] }
            .compactMap(\.filePath)
        let payload = [root.entry(at: "payload", "file")?.value.scalarText].compactMap(\.self)
        // Exports are outside the repository.
        return audience.filter { !$0.hasPrefix(ExportFolder.prefix) } + payload
    }
}

/// A rule's finding about one place of a campaign.
struct Remark {
    let range: SourceRange
    let message: DiagnosticMessage
    let help: DiagnosticMessage
    let isPersonal: Bool

    init(
        at range: SourceRange, _ message: DiagnosticMessage, help: DiagnosticMessage,
        isPersonal: Bool = false
    ) {
        self.range = range
        self.message = message
        self.help = help
        self.isPersonal = isPersonal
    }
}
