import CampaignCore
import Files
import YAMLSyntax

/// What there is to say about a readable campaign beyond its errors.
package struct CampaignLint: Sendable {
    package let remarks: [Diagnostic]
    package let ignores: IgnoreComments
    /// As a person would name them from the current folder; nil if not known.
    package let namedFiles: [String]?
    /// nil if it is not certain, or if the campaign limits it itself.
    package let silentSchedule: SilentSchedule?

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

    /// Nothing is added to `findings`.
    init(_ root: YAMLNode, _ parts: Parts, in folder: String, findings: Findings) {
        var remarks = Remarks(on: findings.files)
        PayloadTypeCheck(root, parts.payload?.payload, kind: parts.kind).run(&remarks)
        let budget = PushBudgetCheck(root, parts)
        budget.run(&remarks)
        // A text with an error may be the one that uses a column.
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

    struct Parts {
        let kind: CampaignKind?
        let platforms: [Platform]
        let payload: PayloadSection?
        let audience: AudienceSection?
        let schedule: Schedule?
        let hasTurns: Bool
        let delivery: DeliveryPolicy
    }

    /// From the nodes, so that campaigns with errors count too.
    private static func files(of root: YAMLNode) -> [String] {
        // The config's `defaults` add an exclusion of their own.
        let parts = [root.entry(at: "audience")?.value].compactMap(\.self).flatMap { audience in
            [audience] + audience.entries("exclude").map(\.value)
        }
        let lists = parts.compactMap { $0.entry(at: "files")?.value.items }
        let audience = lists.flatMap(\.self).compactMap { item in
            item.scalarText ?? item.entry(at: "path")?.value.scalarText
        }
        let payload = [root.entry(at: "payload", "file")?.value.scalarText].compactMap(\.self)
        // Exports are outside the repository.
        return audience.filter { !$0.hasPrefix(ExportFolder.prefix) } + payload
    }
}
