/// Turns a complaint of libyaml into words for someone who does not know YAML's grammar.
///
/// libyaml says where its grammar broke; what went wrong is often elsewhere: at a quote that was
/// opened lines before, or at a colon without a space after it.
struct SyntaxExplanation {
    let source: SourceText
    /// What libyaml found, in its words.
    let problem: String
    /// What libyaml was reading.
    let context: String
    /// The byte at which the problem was found.
    let place: Int
    /// The byte at which what libyaml was reading began.
    let opening: Int?
    /// What was read last.
    let previous: YAMLNode?

    /// Explains why libyaml stopped.
    init(_ problem: LibYAMLProblem, in source: SourceText, composer: DocumentComposer) {
        self.source = source
        self.problem = problem.problem ?? ""
        context = problem.context
        place = composer.offset(ofIndex: problem.index)
        opening =
            problem.context.isEmpty ? nil : composer.offset(ofIndex: problem.contextIndex)
        previous = composer.lastPart
    }

    /// Explains text after the end of the document's value.
    init(textAfterDocumentAt place: Int, in source: SourceText, composer: DocumentComposer) {
        self.source = source
        problem = "did not find expected <document start>"
        context = ""
        self.place = place
        opening = nil
        previous = composer.lastPart
    }

    /// The fault, at the place that a person has to look at.
    var fault: YAMLFault {
        guard !problem.isEmpty else { return .outOfMemory }
        return tab ?? character ?? unclosedQuote ?? escape ?? property ?? directive
            ?? blockScalar ?? colon ?? textAfterValue ?? bracket ?? structure ?? general
    }

    private var general: YAMLFault {
        let during = context.isEmpty ? "" : " \(context)"
        return syntax("This is not YAML: the parser \(problem)\(during).", at: place)
    }

    /// A syntax fault that points at one character.
    func syntax(
        _ message: String, at offset: Int, related: YAMLFault.Related? = nil, help: String? = nil
    ) -> YAMLFault {
        YAMLFault(.syntax, message, at: range(at: offset), related: related, help: help)
    }

    /// The range of the character at an offset; empty at the end of a line.
    func range(at offset: Int) -> SourceRange {
        var end = offset
        if end < source.bytes.count, !source.bytes[end].isLineBreak {
            repeat {
                end += 1
            } while end < source.bytes.count
                && source.bytes[end].isUTF8Continuation
        }
        return source.range(ofBytes: offset..<end)
    }

    /// The byte at an offset, or nil at the end of the text.
    func byte(at offset: Int) -> UInt8? {
        source.bytes.indices.contains(offset) ? source.bytes[offset] : nil
    }

    /// The line, from 1, of an offset.
    func line(of offset: Int) -> Int { source.position(atByte: offset).line }
}
