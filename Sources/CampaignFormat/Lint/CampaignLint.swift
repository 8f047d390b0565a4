import CampaignCore
import Files
import YAMLSyntax

/// What there is to say about a campaign that can be read, beyond what keeps it from being one.
package struct CampaignLint: Sendable {
    /// In the file's order.
    package let remarks: [Diagnostic]
    /// The comments that switch rules off for a line.
    package let ignores: IgnoreComments
    /// The files that the campaign names, as a person would name them from the current folder; nil when that is not known.
    package let namedFiles: [String]?
    /// When its schedule sends silent pushes; nil where that is not sure, or bounded by the campaign itself.
    package let silentSchedule: SilentSchedule?

    /// Of a file that could not be read.
    static let none = CampaignLint(
        remarks: [], ignores: IgnoreComments(), namedFiles: nil, silentSchedule: nil)

    private init(
        remarks: [Diagnostic], ignores: IgnoreComments, namedFiles: [String]?,
        silentSchedule: SilentSchedule?
    ) {
        self.remarks = remarks
        self.ignores = ignores
        self.namedFiles = namedFiles
        self.silentSchedule = silentSchedule
    }

    /// Looks at a campaign.
    ///
    /// - Parameters:
    ///   - root: the file's value.
    ///   - parts: what was made of it, as far as it is good.
    ///   - folder: the campaign file's folder, as a person would name it from the current one.
    ///   - findings: the file; nothing is added to them.
    init(_ root: YAMLNode, _ parts: Parts, in folder: String, findings: Findings) {
        var remarks = Remarks(on: findings.files)
        PayloadTypeCheck(root, parts.payload?.payload, kind: parts.kind).run(&remarks)
        let budget = PushBudgetCheck(root, parts)
        budget.run(&remarks)
        // A text with a fault may be the one that was to use a column.
        if findings.errors == 0 {
            ColumnUseCheck(root, parts.audience, texts: parts.payload?.texts ?? []).run(&remarks)
        }
        TextLengthCheck(root, parts).run(&remarks)
        PersonalNameCheck(parts.audience).run(&remarks)
        SecretCheck(root).run(&remarks)
        self.init(
            remarks: remarks.list.sorted(),
            ignores: IgnoreComments(in: findings.files, root: root),
            namedFiles: Self.files(of: root).map { Path.file($0, in: folder) },
            silentSchedule: findings.errors == 0 ? budget.schedule(in: findings.files) : nil)
    }

    /// What was made of a campaign file.
    struct Parts {
        let kind: CampaignKind?
        let platforms: [Platform]
        let payload: PayloadSection?
        let audience: AudienceSection?
        let schedule: Schedule?
        /// Whether people may not be sent to at any time.
        let hasTurns: Bool
        let delivery: DeliveryPolicy
    }

    /// The paths in a campaign, read from the text: those of a campaign with faults count too.
    private static func files(of root: YAMLNode) -> [String] {
        // The config's defaults add an exclusion of their own.
        let parts = [root.entry(at: "audience")?.value].compactMap(\.self).flatMap { audience in
            [audience] + audience.entries("exclude").map(\.value)
        }
        let lists = parts.compactMap { $0.entry(at: "files")?.value.items }
        let audience = lists.flatMap(\.self).compactMap { item in
            item.scalarText ?? item.entry(at: "path")?.value.scalarText
        }
        let payload = [root.entry(at: "payload", "file")?.value.scalarText].compactMap(\.self)
        // Exports lie in a folder of their own, outside of the repository.
        return audience.filter { !$0.hasPrefix(ExportFolder.prefix) } + payload
    }
}
