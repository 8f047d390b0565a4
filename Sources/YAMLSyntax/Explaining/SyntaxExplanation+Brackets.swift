/// Lists in brackets and mappings in braces.
extension SyntaxExplanation {
    /// A bracket that is not closed, or parts that no comma divides.
    var bracket: YAMLFault? {
        switch problem {
        case "did not find expected ',' or ']'":
            unclosed("[", closing: "]")
        case "did not find expected ',' or '}'":
            unclosed("{", closing: "}")
        default: nil
        }
    }

    private func unclosed(_ bracket: Character, closing: Character) -> YAMLFault {
        let opening = opening ?? place
        guard line(of: opening) == line(of: place), byte(at: place) != nil else {
            let isAtEnd = source.startOfText(from: place) == source.bytes.count
            return syntax(
                "This \(bracket) is not closed.", at: opening,
                related: isAtEnd
                    ? nil
                    : YAMLFault.Related(
                        message: "This cannot be part of it.", range: range(at: place)),
                help: "Put \(closing) at its end, and commas between its parts.")
        }
        return syntax(
            "A comma or \(closing) is missing before this.", at: place,
            related: YAMLFault.Related(
                message: "It belongs to this \(bracket).", range: range(at: opening)),
            help: "Put commas between the parts; put text that has brackets or colons in quotes.")
    }
}
