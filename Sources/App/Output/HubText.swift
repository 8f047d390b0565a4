/// Text that came from the hub, cleaned for a report.
enum HubText {
    static let limit = 200

    /// Returns one line without control or invisible characters, cut to `limit` Unicode scalars.
    static func cleaned(_ text: String, limit: Int = limit) -> String {
        let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        if isPlain, text.utf8.count <= limit { return text }
        var kept = String.UnicodeScalarView()
        var count = 0
        var isSpacePending = false
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator:
                isSpacePending = count > 0
            case .format, .surrogate, .privateUse, .unassigned:
                continue
            default:
                let needed = isSpacePending ? 2 : 1
                guard count + needed <= limit else { return String(kept) }
                if isSpacePending { kept.append(" ") }
                kept.append(scalar)
                count += needed
                isSpacePending = false
            }
        }
        return String(kept)
    }
}
