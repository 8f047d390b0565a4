package import CampaignCore

extension Rule {
    static let missingValueWord = Rule(
        "missing-value-word", .warning, "Cells with a word for a missing value",
        """
        For a missing value, databases write NULL, programs write None or nan, and spreadsheets write #N/A. \
        Spreadsheets also round long numbers to 1.23E+11 and turn values into dates such as 1-Feb, and other tools \
        leave merge fields such as *|FNAME|* unfilled. People would see these words in the text. If a cell is empty, \
        they see the text's default. NA is not reported if most values of the column are two capital letters, \
        because NA may then be the code of Namibia.
        """,
        campaign: """
            audience: { files: [audiences/loyalty.csv] }
            payload: { text: "Hi {{first_name|there}}" }
            """,
        wrong: ["audiences/loyalty.csv": "username,first_name\nalice,Alice\nbob,NULL\n"],
        right: ["audiences/loyalty.csv": "username,first_name\nalice,Alice\nbob,\n"])
}

extension LoadedCampaign {
    /// A warning for each column and each file with repeated headings, at the first row.
    package func diagnostics(for rows: [UnusualRows]) -> [Diagnostic] {
        rows.map { rows in
            let count = Figures.count(rows.count, "row has", "rows have")
            switch rows.kind {
            case .missingValues(CSVHeader.usernameColumn, let words):
                return finding(
                    .missingValueWord, at: rows.first,
                    "\(count) the username \(Self.list(words)), which is probably not a person's name.",
                    help:
                        "Correct the export: a device that is registered under this name would get the pushes."
                )
            case .missingValues(let column, let words):
                return finding(
                    .missingValueWord, at: rows.first,
                    "\(count) \(Self.list(words)) in the column \"\(column)\", and people would see that in the text.",
                    help: words.first.flatMap(MissingValueWord.init)?.help(
                        in: column, hasDefault: hasDefault(column)))
            case .header, .heading:
                let lines =
                    rows.kind == .header
                    ? Figures.count(
                        rows.count, "row repeats the header and is",
                        "rows repeat the header and are")
                    : Figures.count(
                        rows.count, "line is a heading and is", "lines are headings and are")
                return finding(
                    .csvHeader, .warning, at: rows.first, "\(lines) skipped.",
                    help: "Delete \(rows.count == 1 ? "it" : "them").")
            }
        }
    }

    /// Whether all texts that use a variable have a default for it.
    private func hasDefault(_ variable: String) -> Bool {
        guard let payload = campaign?.payload else { return false }
        return ([nil] + payload.languages).flatMap(payload.templates).allSatisfy {
            !$0.segments.contains(.variable(name: variable, fallback: nil))
        }
    }

    private static func list(_ words: [String]) -> String {
        let quoted = words.map { "\"\($0)\"" }
        let last = quoted.last ?? ""
        return quoted.count < 2
            ? last : "\(quoted.dropLast().joined(separator: ", ")) or \(last)"
    }
}

extension MissingValueWord {
    fileprivate func help(in column: String, hasDefault: Bool) -> DiagnosticMessage {
        let empty: DiagnosticMessage =
            hasDefault
            ? "leave it empty to show the text's default"
            : "leave it empty and write a default in the text: {{\(column)|default}}"
        return switch self {
        case .spreadsheetError: "Correct the formula in the cell, or \(empty)."
        case .tooNarrow: "Widen the column in the spreadsheet, and export it again."
        case .nothing, .notAvailable: "Fill in the cell, or \(empty)."
        case .rounded:
            "The last digits are lost: format the column as text before it is filled, and export it again."
        case .date: "Format the column as text before it is filled, and export it again."
        case .mergeField: "Fill in the cell in the tool that creates the table, or \(empty)."
        case .lost:
            "Export the table as UTF-8; if the value itself is missing, fill in the cell, or \(empty)."
        }
    }
}
