import CampaignCore

extension ReportRow {
    /// Status and reason, and that the payload was taken back where it was; one line, fit for a report.
    var explanation: String {
        let said = HubText.cleaned(detail)
        guard let revokedAt else { return said }
        let revoked = "payload revoked \(Timestamp.text(revokedAt))"
        return said.isEmpty ? revoked : "\(said); \(revoked)"
    }
}
