import CLibYAML

/// Pulls the events of a YAML stream out of libyaml, one at a time.
///
/// The only place that holds libyaml's memory: the parser stands at a fixed address on the heap,
/// and is released with this value.
@safe struct EventParser: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>

    /// Starts reading; nil when there is no memory for the parser.
    ///
    /// - Parameter input: UTF-8 without a byte order mark, not empty; must outlive this value.
    init?(reading input: UnsafeBufferPointer<UInt8>) {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            unsafe parser.deallocate()
            return nil
        }
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, input.baseAddress, input.count)
        unsafe self.parser = parser
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
    }

    /// The next event; after the end of the stream there is none.
    ///
    /// - Throws: `LibYAMLProblem` where the text is not YAML.
    func next() throws(LibYAMLProblem) -> ParserEvent {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else {
            throw unsafe LibYAMLProblem(parser.pointee)
        }
        defer { unsafe yaml_event_delete(&event) }
        return unsafe ParserEvent(event)
    }
}
