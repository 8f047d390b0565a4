/// One element of an XML answer with everything beneath it.
///
/// Namespaces are left out: hubs and their clients differ in prefixes, never in the names behind
/// them.
struct HubElement: Sendable, Hashable {
    /// The name without its prefix.
    let name: String

    /// The attributes by their names without prefixes; namespace declarations are not among them.
    let attributes: [String: String]

    /// The text directly within the element, CDATA included.
    var text = ""

    /// The elements directly within it, in their order.
    var children: [HubElement] = []

    /// Whether it says of itself that it has no value: `i:nil="true"`.
    var isNil: Bool { attributes["nil"] == "true" || attributes["nil"] == "1" }

    /// The first element of a name directly within this one.
    ///
    /// - Parameter name: the name without a prefix.
    /// - Returns: nil when there is none.
    func child(_ name: String) -> HubElement? {
        children.first { $0.name == name }
    }

    /// The text of the first element of a name directly within this one.
    ///
    /// - Parameter name: the name without a prefix.
    /// - Returns: nil when there is no such element, or it is marked as nil.
    func text(of name: String) -> String? {
        child(name).flatMap { $0.isNil ? nil : $0.text }
    }
}

extension HubElement: CustomStringConvertible, CustomReflectable {
    var description: String { "HubElement(\(children.count) elements, hidden)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}

extension HubElement {
    /// Reads the body of an answer as XML.
    ///
    /// - Parameters:
    ///   - answer: the answer.
    ///   - call: what it answers.
    /// - Throws: ``HubError`` when the body is not XML that can be read.
    init(_ answer: HubAnswer, of call: HubCall) throws(HubError) {
        do throws(XMLFault) {
            self = try XMLElementReader.read(answer.body)
        } catch {
            throw HubError(call, answer: answer, reason: error.description)
        }
    }
}
