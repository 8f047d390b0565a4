/// An element of an XML response with its content, without namespaces, because local names are
/// sufficient.
struct HubElement: Sendable, Hashable {
    let name: String

    /// The attributes, without namespace declarations.
    let attributes: [String: String]

    /// The text directly within the element, including CDATA.
    var text = ""

    var children: [HubElement] = []

    /// Whether `i:nil` says that the element has no value.
    var isNil: Bool { attributes["nil"] == "true" || attributes["nil"] == "1" }

    func child(_ name: String) -> HubElement? {
        children.first { $0.name == name }
    }

    /// The text of the first child with a name, unless it is marked as nil.
    func text(of name: String) -> String? {
        child(name).flatMap { $0.isNil ? nil : $0.text }
    }
}

extension HubElement: CustomStringConvertible, CustomReflectable {
    var description: String { "HubElement(\(children.count) elements, hidden)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}

extension HubElement {
    init(_ answer: HubAnswer, of call: HubCall) throws(HubError) {
        do throws(XMLReadingError) {
            self = try XMLElementReader.read(answer.body)
        } catch {
            throw HubError(call, answer: answer, reason: error.description)
        }
    }
}
