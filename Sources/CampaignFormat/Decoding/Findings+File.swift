import CampaignCore
import YAMLSyntax

/// Reading a file as YAML.
extension Findings {
    /// Begins with a file; its text is parsed by ``root(of:knownBy:)``.
    init(_ input: InputFile) {
        self.init(file: input.path, source: SourceText(input.bytes))
    }

    /// The file's value; nil after reporting why there is none.
    ///
    /// - Parameters:
    ///   - input: the file.
    ///   - telling: the keys without which it is none of ours, so that no line of it is shown.
    /// - Returns: what the file holds.
    mutating func root(of input: InputFile, knownBy telling: TellingKeys) -> YAMLNode? {
        document(of: input).flatMap { root(of: $0, knownBy: telling) }
    }

    /// The file as YAML, nothing of which is reported yet; nil after reporting that it is too large.
    mutating func document(of input: InputFile) -> YAMLDocument? {
        let start = SourceRange(start: .start, end: .start)
        guard input.size <= input.limit else {
            error(
                .tooLarge, at: start,
                "The file has \(Figures.count(input.size)) bytes; at most \(Figures.count(input.limit)) are read.",
                help: "Move long lists to files of their own.")
            return nil
        }
        return YAMLParser.parse(input.bytes, limits: YAMLLimits(bytes: input.limit))
    }

    /// The value of a file that was parsed, as ``root(of:knownBy:)`` has it.
    mutating func root(of document: YAMLDocument, knownBy telling: TellingKeys) -> YAMLNode? {
        showsLines = telling.stand(in: document)
        for fault in document.faults { add(fault) }
        if document.root == nil, document.faults.isEmpty {
            error(
                .emptyFile, at: SourceRange(start: .start, end: .start), "The file is empty.")
        }
        return document.root
    }
}
