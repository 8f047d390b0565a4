/// What a template registration makes of a template send (reference, sections 3.5, 6.4 and 7).
struct TemplatePush {
    /// The headers for the push service, names in lower case.
    private(set) var headers: [String: String]
    /// The payload.
    let body: [UInt8]
    /// Why the push service refuses it; nil when it takes it.
    let refusal: PushRefusal?

    /// Renders a registration's template.
    ///
    /// The registration's own headers win over those of the send: they belong to its body.
    ///
    /// - Parameters:
    ///   - properties: the properties of the send, which win over the registration's push variables.
    ///   - headers: the headers of the send that matter to push services.
    ///   - target: the device, with the registration that leads to it.
    init(
        _ properties: [String: String], headers: [String: String], for target: PushTarget
    ) {
        self.headers = headers
        body = []
        refusal = .dropped("Template sends are not there yet.")
    }
}
