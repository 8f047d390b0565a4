/// The faults of a file as a stream of YAML documents.
extension YAMLFault {
    static let outOfMemory = YAMLFault(
        .tooLarge, "There is not enough memory to read the file.",
        at: SourceRange(start: .start, end: .start))

    static func multipleDocuments(at range: SourceRange) -> YAMLFault {
        YAMLFault(
            .multipleDocuments, "A second document starts here; a file holds one.", at: range,
            help: "Move it to a file of its own.")
    }

    static func unsupportedDirective(at range: SourceRange) -> YAMLFault {
        YAMLFault(
            .unsupportedDirective,
            "A line that starts with % is a directive; only %YAML 1.1 and %YAML 1.2 are known.",
            at: range, help: "Remove the line, or put the text in quotes.")
    }
}
