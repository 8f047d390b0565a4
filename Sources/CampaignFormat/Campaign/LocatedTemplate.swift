import CampaignCore
import YAMLSyntax

/// A template with the places of its variables.
struct LocatedTemplate {
    /// One use of a variable.
    struct Variable {
        let name: String
        let hasDefault: Bool
        let range: SourceRange
    }

    let template: MessageTemplate
    let scalar: Located<YAMLScalar>
    let places: ScalarPlaces

    /// Reads a template.
    ///
    /// - Throws: ``MessageTemplateFault``.
    init(_ scalar: Located<YAMLScalar>, source: SourceText) throws(MessageTemplateFault) {
        template = try MessageTemplate(scalar.value.text)
        self.scalar = scalar
        places = ScalarPlaces(scalar, source: source)
    }

    var range: SourceRange { scalar.range }

    /// Its variables in order, repeats included.
    var variables: [Variable] {
        let ranges = Self.ranges(in: Array(scalar.value.text.unicodeScalars))
        let segments = template.segments.compactMap { segment in
            if case .variable(let name, let fallback) = segment {
                (name, fallback != nil)
            } else {
                nil
            }
        }
        return zip(segments, ranges).map { segment, range in
            Variable(
                name: segment.0, hasDefault: segment.1,
                range: places.range(ofCharacters: range, in: template.source))
        }
    }

    /// The text with a letter in the place of every variable, for rules about the rest of it.
    var sample: String {
        template.segments.map { segment in
            switch segment {
            case .literal(let text): text
            case .variable: "x"
            }
        }.joined()
    }

    /// Where `{{…}}` stands, in a text that is known to be a template.
    private static func ranges(in text: [Unicode.Scalar]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var index = 0
        while let start = pair("{", in: text, from: index),
            let end = pair("}", in: text, from: start + 2)
        {
            ranges.append(start..<(end + 2))
            index = end + 2
        }
        return ranges
    }

    private static func pair(_ scalar: Unicode.Scalar, in text: [Unicode.Scalar], from start: Int)
        -> Int?
    {
        guard start + 1 < text.count else { return nil }
        return (start..<(text.count - 1)).first { text[$0] == scalar && text[$0 + 1] == scalar }
    }
}
