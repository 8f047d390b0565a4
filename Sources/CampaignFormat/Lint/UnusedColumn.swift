import CampaignCore
import YAMLSyntax

/// Finds audience columns that the campaign does not use: personal data kept for nothing.
struct ColumnUseCheck {
    private static let mostNamed = 5

    private let root: YAMLNode
    private let audience: AudienceSection?
    private let texts: [LocatedTemplate]

    init(_ root: YAMLNode, _ audience: AudienceSection?, texts: [LocatedTemplate]) {
        self.root = root
        self.audience = audience
        self.texts = texts
    }

    func run(_ remarks: inout Remarks) {
        guard let audience, let files = root.entry(at: "audience", "files")?.value.items else {
            return
        }
        let used = usedColumns
        for origin in audience.origins where !origin.columns.isEmpty {
            let unused = origin.columns.filter { !used.contains($0) && !$0.isEmpty }
            guard !unused.isEmpty, let place = files.first(where: { Self.names($0, origin.name) })
            else { continue }
            let names = unused.prefix(Self.mostNamed).map { "\"\($0.shortened)\"" }
            let more = unused.count - names.count
            let list = names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
            remarks.add(
                .unusedColumn, at: place.range, isPersonal: false,
                "No text uses \(list) of \"\(path: origin.name.shortened)\".",
                help:
                    "Leave such columns out of the export, so that no data of people lies around without a use."
            )
        }
    }

    /// Named in texts, or in keys such as `time_zone_column`.
    private var usedColumns: Set<String> {
        var used = Set(texts.flatMap { $0.template.variables } + [CSVHeader.usernameColumn])
        root.eachScalar { node, path in
            guard let text = node.scalarText, let key = path.last else { return }
            if key.hasSuffix("_column") {
                used.insert(Blanks.column(text))
            } else if text.contains("{{") {
                used.formUnion(MessageTemplateReading(text).template.variables)
            }
        }
        return used
    }

    private static func names(_ item: YAMLNode, _ file: String) -> Bool {
        (item.scalarText ?? item.entry(at: "path")?.value.scalarText) == file
    }
}
