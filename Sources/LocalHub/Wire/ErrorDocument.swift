import Foundation

/// The XML body of an error: no namespace, one line, no declaration (recorded shape; reference, section 8).
struct ErrorDocument {
    /// The HTTP status code.
    let code: Int
    /// What was wrong; may be empty.
    let detail: String
    /// The tracking id of the answer.
    let trackingID: String
    /// When the hub answered.
    let time: Date

    /// The document.
    var xml: String {
        let text = "\(detail).TrackingId:\(trackingID)_G0,TimeStamp:\(timestamp)"
        return "<Error><Code>\(code)</Code><Detail>\(XMLText.escaped(text))</Detail></Error>"
    }

    /// The time in the service's form: `11/7/2018 12:18:23 AM`, UTC.
    private var timestamp: String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second], from: time)
        let hour = parts.hour ?? 0
        let clock = [hour % 12 == 0 ? 12 : hour % 12, parts.minute ?? 0, parts.second ?? 0]
        let digits = clock.enumerated().map { index, value in
            index > 0 && value < 10 ? "0\(value)" : "\(value)"
        }
        return "\(parts.month ?? 0)/\(parts.day ?? 0)/\(parts.year ?? 0) "
            + "\(digits.joined(separator: ":")) \(hour < 12 ? "AM" : "PM")"
    }
}
