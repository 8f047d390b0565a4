import CampaignCore

extension Rule {
    /// Personal data kept for nothing.
    static let unusedColumn = Rule(
        "unused-column", .hint, "A column that nothing uses",
        """
        What is known of people and used for nothing should not be copied around; or a text was meant to use it. \
        Columns count as used where a text names them, or a key such as time_zone_column.
        """,
        campaign: """
            audience: { files: [audiences/loyalty.csv] }
            payload: { text: "Hi {{first_name}}" }
            """,
        wrong: [
            "audiences/loyalty.csv": "username,first_name,birthday\nalice,Alice,1852-05-04\n"
        ], right: RuleExample.loyalty,
        check: unusedColumns)

    private static let mostNamed = 5

    private static func unusedColumns(in document: LintDocument) -> [Remark] {
        // A text with an error may be the one that uses a column.
        guard !document.hasErrors, let audience = document.audience,
            let files = document.root.entry(at: "audience", "files")?.value.items
        else { return [] }
        let used = usedColumns(in: document)
        return audience.origins.compactMap { origin in
            let unused = origin.columns.filter { !used.contains($0) && !$0.isEmpty }
            guard !unused.isEmpty, let place = files.first(where: { $0.filePath == origin.name })
            else { return nil }
            let names = unused.prefix(mostNamed).map { "\"\($0.shortened)\"" }
            let more = unused.count - names.count
            let list = names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
            return Remark(
                at: place.range, "No text uses \(list) of \"\(path: origin.name.shortened)\".",
                help:
                    "Leave such columns out of the export, so that no data of people lies around without a use."
            )
        }
    }

    /// Named in texts, or in keys such as `time_zone_column`.
    private static func usedColumns(in document: LintDocument) -> Set<String> {
        let texts = document.payload?.texts ?? []
        var used = Set(texts.flatMap { $0.template.variables } + [CSVHeader.usernameColumn])
        document.root.eachScalar { node, path in
            guard let text = node.scalarText, let key = path.last else { return }
            if key.hasSuffix("_column") {
                used.insert(Blanks.column(text))
            } else if text.contains("{{") {
                used.formUnion(MessageTemplateReading(text).template.variables)
            }
        }
        return used
    }
}
