import CampaignCore

/// Text within HTML, where nothing in it is markup.
enum HTMLText {
    /// A text as the content of an element or of an attribute in quotes; what cannot be seen is written out.
    static func escape(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in VisibleText.lines(text).unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            // A line of its own could pass for a command of a build log that the page is printed to.
            case "\n": result.append(contentsOf: "&#10;".unicodeScalars)
            case "'": result.append(contentsOf: "&#39;".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// A phrase; what comes from files is set apart.
    static func phrase(_ phrase: Phrase) -> String {
        phrase.rendered(
            words: escape, name: escape, given: { #"<q dir="auto">"# + escape($0) + "</q>" })
    }
}
