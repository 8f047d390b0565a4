import CampaignCore

enum HTMLText {
    /// Escapes content or a quoted attribute, and makes invisible characters visible.
    static func escape(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in VisibleText.lines(text).unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            // A build server could mistake a separate line for a command.
            case "\n": result.append(contentsOf: "&#10;".unicodeScalars)
            case "'": result.append(contentsOf: "&#39;".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// Marks text that comes from files.
    static func phrase(_ phrase: Phrase) -> String {
        phrase.rendered(
            words: escape, name: escape, given: { #"<q dir="auto">"# + escape($0) + "</q>" },
            markup: { $0 })
    }
}
