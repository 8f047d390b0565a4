/// A text read as a template to its end, whatever is wrong with it.
package struct MessageTemplateReading: Sendable {
    /// The template; a variable that is at fault stands in it with an empty name.
    package let template: MessageTemplate
    /// Where each of the template's variables stands in the text, from its `{{` on, in Unicode scalars.
    package let places: [Range<Int>]
    /// All that is wrong, in order.
    package let faults: [MessageTemplateFault]

    /// Reads a text.
    ///
    /// - Parameter source: as ``MessageTemplate/init(_:)`` takes it.
    package init(_ source: String) {
        var parser = MessageTemplateParser(source)
        parser.parse()
        template = MessageTemplate(source: source, segments: parser.segments)
        places = parser.places
        faults = parser.faults
    }
}
