import CampaignCore
import CampaignFormat
import Delivery
import NotificationHubs

/// Shows what a campaign would do.
struct Preview {
    let settings: Settings
    let format: ListFormat

    /// Prints the preview of one campaign.
    ///
    /// - Throws: ``CommandEnd`` with ``ExitStatus/faults`` after the findings were printed; what cannot be read.
    func show(_ path: String, only: [Username]?) async throws {
        let source = try await CampaignSource(path: path, settings: settings)
        let (planned, found) = try await source.check(only: only)
        let findings = (settings.configFindings + found).sorted()
        let output = FindingsOutput(invocation: settings.invocation, format: format)
        guard let planned, let campaign = source.loaded.campaign else {
            try output.print(findings)
            Console.complain(
                "\(VisibleText.path(path)): \(FindingsOutput.tally(findings)).")
            throw CommandEnd(status: .faults)
        }
        let document = PreviewDocument(
            campaign, planned.plan,
            describer: try settings.hub?.describer()
                ?? HubChoice.describer(named: settings.hubName))
        switch format {
        case .json:
            try Console.output(document.json())
            if !findings.isEmpty {
                let text = FindingsOutput(invocation: settings.invocation, format: .text)
                Console.notice(
                    try text.text(findings), style: settings.invocation.outputStyle)
            }
        case .text:
            try output.print(findings)
            let style = settings.invocation.outputStyle
            try Console.output(PreviewText(document, style: style).text(), style: style)
        }
    }
}
