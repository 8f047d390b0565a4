import CampaignCore

extension Rule {
    /// Finds personal data that is kept without a purpose.
    static let unusedColumn = Rule(
        "unused-column", .hint, "A column that nothing uses",
        """
        Personal data that nothing uses should not be copied. The column may also be missing from a text that was \
        meant to use it. A column is considered used if a text, or a key such as time_zone_column, refers to it.
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
        // A text with an error may use any column.
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
                at: place.range, "No text uses \(list) from \"\(path: origin.name.shortened)\".",
                help:
                    "Remove columns you do not use from the export; do not store personal data without a purpose."
            )
        }
    }

    /// The columns to which texts, or keys such as `time_zone_column`, refer.
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
