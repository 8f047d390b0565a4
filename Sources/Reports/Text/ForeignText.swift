/// Text from outside, such as a payload, made fit for a terminal.
package enum ForeignText {
    /// Writes what could steer a terminal, or hide, as `\u{1B}`; line feeds and tabs stay.
    package static func shown(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n", "\t":
                shown.unicodeScalars.append(scalar)
            case _ where isSteering(scalar):
                shown += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            default:
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    private static func isSteering(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        // Joiners make one emoji, or one letter of many scripts, of several; they steer nothing.
        case .format: scalar.value != 0x200D && scalar.value != 0x200C
        default: false
        }
    }
}
