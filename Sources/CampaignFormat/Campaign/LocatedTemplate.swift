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

    /// The text as far as it could be read; a variable that is at fault has no name.
    let template: MessageTemplate
    /// Where each `{{…}}` stands in the text, in Unicode scalars.
    let variablePlaces: [Range<Int>]
    /// All that is wrong with its variables.
    let faults: [MessageTemplateFault]
    let scalar: Located<YAMLScalar>
    let places: ScalarPlaces

    /// Reads a template.
    init(_ scalar: Located<YAMLScalar>, source: SourceText) {
        let reading = MessageTemplateReading(scalar.value.text)
        template = reading.template
        variablePlaces = reading.places
        faults = reading.faults
        self.scalar = scalar
        places = ScalarPlaces(scalar, source: source)
    }

    var range: SourceRange { scalar.range }

    /// Where a part of the text, given in Unicode scalars from its start, stands in the file.
    func range(of part: Range<Int>) -> SourceRange {
        places.range(ofCharacters: part, in: template.source)
    }

    /// A part of the text, given in Unicode scalars from its start.
    func text(of part: Range<Int>) -> String {
        let scalars = template.source.unicodeScalars.dropFirst(part.lowerBound).prefix(part.count)
        return String(String.UnicodeScalarView(scalars))
    }

    /// Its good variables in order, repeats included, with their places in the text.
    var uses: [(name: String, fallback: String?, place: Range<Int>)] {
        let variables = template.segments.compactMap { segment in
            if case .variable(let name, let fallback) = segment { (name, fallback) } else { nil }
        }
        return zip(variables, variablePlaces).compactMap { variable, place in
            variable.0.isEmpty ? nil : (variable.0, variable.1, place)
        }
    }

    /// Its good variables in order, repeats included.
    var variables: [Variable] {
        uses.map {
            Variable(name: $0.name, hasDefault: $0.fallback != nil, range: range(of: $0.place))
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
}
