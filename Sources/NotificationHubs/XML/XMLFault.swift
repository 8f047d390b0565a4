/// Why an answer is not XML that anyone looks into.
enum XMLFault: Error, Hashable {
    /// It is not UTF-8.
    case notUTF8
    /// It declares a document type, which is where entities and their explosions come from.
    case documentType
    /// Its elements stand deeper in each other than any hub's.
    case tooDeep
    /// It has more elements than any hub's.
    case tooManyElements
    /// It is cut short, or no XML at all.
    case malformed
    /// It is XML of another kind than the one asked for.
    case unexpected
}

extension XMLFault: CustomStringConvertible {
    /// What is wrong, in a few words.
    var description: String {
        switch self {
        case .notUTF8: "the answer is not UTF-8"
        case .documentType: "the answer's XML declares a document type"
        case .tooDeep: "the answer's XML is nested too deeply"
        case .tooManyElements: "the answer's XML has too many elements"
        case .malformed: "the answer is not well-formed XML"
        case .unexpected: "the answer is not what was asked for"
        }
    }
}
