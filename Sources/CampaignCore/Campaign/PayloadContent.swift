/// The part of a payload that is stored for devices to fetch.
package enum PayloadContent: Sendable {
    /// The bytes of a file, with their media type.
    case file(PayloadFile)
    /// A text, possibly with variables.
    case text(MessageTemplate)
    /// An address that the device opens, possibly with variables, whose values are percent-encoded.
    case url(MessageTemplate)

    /// The template to render, where the content is not a file.
    package var template: MessageTemplate? {
        switch self {
        case .file: nil
        case .text(let template), .url(let template): template
        }
    }
}
