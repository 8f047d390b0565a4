/// Lines that do not fit the list or mapping they stand in.
extension SyntaxExplanation {
    /// A line whose indentation or form does not fit.
    var structure: YAMLFault? {
        switch problem {
        case "did not find expected key":
            misfit(
                "This line does not fit the keys above it.", "The keys above start here.",
                help: "Start all keys of a group in the same column, each with a colon.")
        case "did not find expected '-' indicator":
            misfit(
                "This line does not fit the list above it.", "The list starts here.",
                help: "Start every item with \"- \", in the same column.")
        case "block sequence entries are not allowed in this context":
            syntax(
                "A list item cannot start here.", at: place,
                help:
                    "Put each item on a line of its own, below the key; or put the text in quotes."
            )
        case "mapping keys are not allowed in this context":
            syntax(
                "A text that starts with ? and a space needs quotes.", at: place,
                help: "Put the whole text in quotes.")
        case "did not find expected node content":
            syntax(
                "A value is missing before this.", at: place,
                help: "Write the value, or put the text in quotes if the character belongs to it.")
        case "did not find expected <document start>":
            syntax(
                "This does not belong to the value above it, which is complete.", at: place,
                help: "Check its indentation, and that every line is \"key: value\".")
        default: nil
        }
    }

    private func misfit(_ message: String, _ start: String, help: String) -> YAMLFault {
        let related = opening.map { YAMLFault.Related(message: start, range: range(at: $0)) }
        return syntax(message, at: place, related: related, help: help)
    }
}
