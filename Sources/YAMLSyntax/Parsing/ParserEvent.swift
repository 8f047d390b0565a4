import CLibYAML

/// One event of a YAML stream with the Unicode scalars, from 0, between which it stands.
struct ParserEvent {
    /// What may stand in front of a node.
    struct Properties {
        /// The name after `&`.
        let anchor: String?
        /// The tag's full address.
        let tag: String?

        var isEmpty: Bool { anchor == nil && tag == nil }
    }

    enum Kind {
        case scalar(YAMLScalar, Properties)
        case alias(String)
        case sequenceStart(Properties, isFlow: Bool)
        case sequenceEnd
        case mappingStart(Properties, isFlow: Bool)
        case mappingEnd
        case documentEnd(isImplicit: Bool)
        case streamEnd
        /// The start of the stream or of a document.
        case preamble
    }

    let kind: Kind
    let start: Int
    let end: Int
}

extension ParserEvent {
    /// Copies what matters out of libyaml's event.
    init(_ event: yaml_event_t) {
        start = unsafe event.start_mark.index
        end = unsafe event.end_mark.index
        switch unsafe event.type {
        case YAML_SCALAR_EVENT:
            kind = unsafe Self.scalar(event.data.scalar)
        case YAML_ALIAS_EVENT:
            kind = .alias(unsafe text(event.data.alias.anchor) ?? "")
        case YAML_SEQUENCE_START_EVENT:
            let sequence = unsafe event.data.sequence_start
            kind = .sequenceStart(
                unsafe Properties(anchor: text(sequence.anchor), tag: text(sequence.tag)),
                isFlow: unsafe sequence.style == YAML_FLOW_SEQUENCE_STYLE)
        case YAML_SEQUENCE_END_EVENT:
            kind = .sequenceEnd
        case YAML_MAPPING_START_EVENT:
            let mapping = unsafe event.data.mapping_start
            kind = .mappingStart(
                unsafe Properties(anchor: text(mapping.anchor), tag: text(mapping.tag)),
                isFlow: unsafe mapping.style == YAML_FLOW_MAPPING_STYLE)
        case YAML_MAPPING_END_EVENT:
            kind = .mappingEnd
        case YAML_DOCUMENT_END_EVENT:
            kind = .documentEnd(isImplicit: unsafe event.data.document_end.implicit != 0)
        case YAML_STREAM_END_EVENT:
            kind = .streamEnd
        default:
            kind = .preamble
        }
    }

    private static func scalar(_ scalar: yaml_event_s.__Unnamed_union_data.__Unnamed_struct_scalar)
        -> Kind
    {
        let style: YAMLScalar.Style =
            switch unsafe scalar.style {
            case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
            case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
            case YAML_LITERAL_SCALAR_STYLE: .literal
            case YAML_FOLDED_SCALAR_STYLE: .folded
            default: .plain
            }
        let utf8 = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        let value = unsafe String(decoding: utf8, as: UTF8.self)
        return .scalar(
            YAMLScalar(text: value, style: style),
            unsafe Properties(anchor: text(scalar.anchor), tag: text(scalar.tag)))
    }
}

/// The text that libyaml keeps behind a pointer; anchors and tags hold no NUL.
private func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    unsafe pointer.map { unsafe String(cString: $0) }
}
