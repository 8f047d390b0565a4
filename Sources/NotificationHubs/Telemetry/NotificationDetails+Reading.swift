import FoundationEssentials

extension NotificationDetails {
    /// Reads `NotificationDetails`; elements may stand in any order.
    ///
    /// - Parameter root: the answer's root element.
    /// - Throws: ``XMLFault/unexpected`` when it is another document.
    init(_ root: HubElement) throws(XMLFault) {
        guard root.name == "NotificationDetails",
            let id = root.text(of: "NotificationId").flatMap(ForeignText.cleaned)
        else { throw .unexpected }
        self.init(
            id: id,
            state: root.text(of: "State").flatMap(ForeignText.cleaned)
                .map(NotificationState.init(rawValue:)) ?? .unknown,
            enqueueTime: root.text(of: "EnqueueTime").flatMap(ServiceDate.parse),
            startTime: root.text(of: "StartTime").flatMap(ServiceDate.parse),
            endTime: root.text(of: "EndTime").flatMap(ServiceDate.parse),
            body: root.text(of: "NotificationBody"),
            tags: root.text(of: "Tags"),
            targetPlatforms: (root.text(of: "TargetPlatforms") ?? "").split(separator: ",")
                .compactMap { ForeignText.cleaned(String($0)) },
            outcomeCounts: Self.counts(in: root),
            pnsErrorDetailsURL: root.text(of: "PnsErrorDetailsUri"))
    }

    private static let countSuffix = "OutcomeCounts"

    private static func counts(in root: HubElement) -> [String: [String: Int]] {
        var counts: [String: [String: Int]] = [:]
        for element in root.children where element.name.hasSuffix(countSuffix) {
            let service = service(named: element.name.dropLast(countSuffix.count).lowercased())
            for outcome in element.children where outcome.name == "Outcome" {
                guard let name = outcome.text(of: "Name").flatMap(ForeignText.cleaned),
                    let count = outcome.text(of: "Count").flatMap(Int.init), count >= 0
                else { continue }
                let (sum, overflow) = counts[service, default: [:]][name, default: 0]
                    .addingReportingOverflow(count)
                counts[service, default: [:]][name] = overflow ? .max : sum
            }
        }
        return counts
    }

    private static func service(named prefix: String) -> String {
        switch prefix {
        case "apns": NotificationFormat.apple.rawValue
        case "wns": NotificationFormat.windows.rawValue
        case "mpns": NotificationFormat.windowsPhone.rawValue
        default: prefix
        }
    }
}
