package import CampaignCore

/// Writes a report as CSV (RFC 4180), with a header and a line feed after every row.
///
/// RFC 4180 ends rows with CR LF; a bare line feed is what Unix tools expect and what every spreadsheet reads too.
package struct CSVRenderer: ReportRenderer {
    /// `run,campaign,`, the same in every row.
    private let beginning: [UInt8]

    /// - Parameters:
    ///   - run: the run that all the rows are of.
    ///   - campaign: its campaign's name.
    package init(run: RunID, campaign: String) {
        var beginning: [UInt8] = []
        CSVCell.append(run.text, to: &beginning)
        beginning.append(UInt8(ascii: ","))
        CSVCell.append(campaign, to: &beginning)
        beginning.append(UInt8(ascii: ","))
        self.beginning = beginning
    }

    package func header() -> [UInt8] {
        Array((ReportColumn.allCases.map(\.rawValue).joined(separator: ",") + "\n").utf8)
    }

    package func append(_ rows: [ReportRow], to bytes: inout [UInt8]) {
        let comma = UInt8(ascii: ",")
        for row in rows {
            bytes.append(contentsOf: beginning)
            CSVCell.append(row.recipient.text, to: &bytes)
            bytes.append(comma)
            bytes.append(contentsOf: row.platform.rawValue.utf8)
            bytes.append(comma)
            bytes.append(contentsOf: row.notification.text.utf8)
            bytes.append(comma)
            bytes.append(contentsOf: row.outcome.rawValue.utf8)
            bytes.append(comma)
            CSVCell.append(row.explanation, to: &bytes)
            bytes.append(comma)
            if let message = row.hubMessage {
                CSVCell.append(HubText.cleaned(message), to: &bytes)
            }
            bytes.append(comma)
            bytes.append(contentsOf: String(row.attempts).utf8)
            bytes.append(comma)
            if let time = row.recordedAt { Timestamp.append(time, to: &bytes) }
            // Nothing asks the push services yet: `pns` is empty.
            bytes.append(contentsOf: ",,".utf8)
            if let time = row.fetchedAt { Timestamp.append(time, to: &bytes) }
            bytes.append(comma)
            if let time = row.readAt { Timestamp.append(time, to: &bytes) }
            bytes.append(UInt8(ascii: "\n"))
        }
    }
}
